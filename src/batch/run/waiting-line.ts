/** Runs at most `limit` actions at the same time, the others in the order in which they came. */
export class WaitingLine {
  readonly #limit: number;
  #running = 0;
  #waiting: (() => void)[] = [];
  /** Index of the first action that waits. Removing the first item of a long list each time would be quadratic. */
  #first = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  async run<T>(action: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#limit) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#running += 1;
    try {
      return await action();
    } finally {
      this.#next();
    }
  }

  /** Gives the turn to the action that has waited longest. */
  #next(): void {
    const next = this.#waiting[this.#first];
    if (next === undefined) {
      this.#running -= 1;
      this.#waiting = [];
      this.#first = 0;
      return;
    }
    this.#first += 1;
    next();
  }
}
