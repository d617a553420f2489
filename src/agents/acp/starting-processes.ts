/** Counts the processes of a pool that are being started, by launch key. */
export class StartingProcesses {
  readonly #keys: { readonly key: string; readonly hasStep: boolean }[] = [];

  /** Counts a start until the returned function is called. `hasStep` is true if a step waits for the process. */
  begin(key: string, hasStep: boolean): () => void {
    const start = { key, hasStep };
    this.#keys.push(start);
    return () => {
      const index = this.#keys.indexOf(start);
      if (index !== -1) this.#keys.splice(index, 1);
    };
  }

  count(key: string): number {
    return this.#keys.filter((start) => start.key === key).length;
  }

  /** Returns the number of steps that wait for the start of their process. */
  countSteps(key: string): number {
    return this.#keys.filter((start) => start.key === key && start.hasStep).length;
  }
}
