import { unlessAborted } from './timing.js';

/** A request whose result several callers wait for. The request is aborted when the last caller leaves. */
export class SharedRequest<T> {
  readonly #givenUp = new AbortController();
  readonly #answer: Promise<T>;
  #waiting = 0;

  /** `ask` must not reject, and must resolve soon after its signal is aborted. */
  constructor(ask: (signal: AbortSignal) => Promise<T>) {
    this.#answer = ask(this.#givenUp.signal);
  }

  /** True after the request was aborted. Callers must start a new one: this one resolves to an unusable value. */
  get isAborted(): boolean {
    return this.#givenUp.signal.aborted;
  }

  /** Returns the result. Rejects with the reason of the signal after an abort; the last caller awaits the request first. */
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
