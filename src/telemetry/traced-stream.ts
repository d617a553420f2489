import type { AgentEvent } from '../api/agent-event.js';
import type { StepSpans } from './step-spans.js';

/** A step that was opened. */
export interface OpenedStep {
  readonly spans: StepSpans;
  readonly events: AsyncIterator<AgentEvent, unknown>;
  /** Gives an event what the caller expects in it. */
  readonly restore: (event: AgentEvent) => AgentEvent;
}

/**
 * Events of a step that is traced. Nothing begins before the first `next()`. A `return()` reaches the provider at once, also
 * while a `next()` is pending: with a plain generator, it would wait for the next event.
 */
export class TracedStream implements AsyncGenerator<AgentEvent, void> {
  readonly #open: () => Promise<OpenedStep>;
  #opening: Promise<OpenedStep> | undefined;
  #hasLeft = false;

  constructor(open: () => Promise<OpenedStep>) {
    this.#open = open;
  }

  async next(): Promise<IteratorResult<AgentEvent, void>> {
    if (this.#hasLeft && this.#opening === undefined) return { done: true, value: undefined };
    this.#opening ??= this.#open();
    const { spans, events, restore } = await this.#opening;
    try {
      const { done, value } = await events.next();
      if (done === true) {
        // A step that has ended has told `turn-complete` before.
        record(() => spans.end('no turn-complete'));
        return { done, value: undefined };
      }
      record(() => spans.accept(value));
      return { done: false, value: restore(value) };
    } catch (error) {
      record(() => spans.end(error));
      throw error;
    }
  }

  async return(): Promise<IteratorResult<AgentEvent, void>> {
    const opened = await this.#leave();
    await opened?.events.return?.();
    return { done: true, value: undefined };
  }

  async throw(error: unknown): Promise<IteratorResult<AgentEvent, void>> {
    await this.return();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  async #leave(): Promise<OpenedStep | undefined> {
    this.#hasLeft = true;
    const opened = await this.#opening?.catch(() => undefined);
    record(() => opened?.spans.end());
    return opened;
  }
}

/** Records something. An SDK that throws must not fail a step. */
function record(call: () => void): void {
  try {
    call();
  } catch {
    // The step goes on without this record.
  }
}
