/** Any number of readers, or one writer, in the order in which they came. */
export class ReadWriteLock {
  #writer: Promise<unknown> = Promise.resolve();
  readonly #readers = new Set<Promise<unknown>>();

  shared<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#writer.then(work);
    const settled = result.catch(() => {}).finally(() => this.#readers.delete(settled));
    this.#readers.add(settled);
    return result;
  }

  exclusive<T>(work: () => Promise<T>): Promise<T> {
    const result = Promise.all([this.#writer, ...this.#readers]).then(work);
    this.#writer = result.catch(() => {});
    return result;
  }
}

/** A workspace is read whole when a step begins: nobody of us may be merging into it meanwhile. */
export const treeLock = new ReadWriteLock();
