import { unlessAborted } from './timing.js';

/** A question whose answer several callers wait for. It is given up when none of them is left. */
export class SharedRequest<T> {
  readonly #givenUp = new AbortController();
  readonly #answer: Promise<T>;
  #waiting = 0;

  /** `ask` must not reject, and must come to its end soon after its signal. */
  constructor(ask: (signal: AbortSignal) => Promise<T>) {
    this.#answer = ask(this.#givenUp.signal);
  }

  /** Nobody may ask here any more: the answer would not be one. */
  get isGivenUp(): boolean {
    return this.#givenUp.signal.aborted;
  }

  /** The answer, or a rejection with the reason of the signal once nothing of the question is left. */
  async wait(signal: AbortSignal | undefined): Promise<T> {
    this.#waiting++;
    try {
      return await unlessAborted(this.#answer, signal);
    } catch (reason) {
      if (this.#waiting === 1) await this.#giveUp();
      throw reason;
    } finally {
      this.#waiting--;
    }
  }

  async #giveUp(): Promise<void> {
    this.#givenUp.abort();
    await this.#answer;
  }
}
