/** Lets in any number of readers or one writer, in the order of their calls. */
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

/** Lock for the originals: no merge may run while a workspace is read at the beginning of a step. */
export const treeLock = new ReadWriteLock();
