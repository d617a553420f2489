import type { AgentEvent } from '../../api/agent-event.js';
import type { EventBatch } from './event-batch.js';

/**
 * Lets the events of one attempt through in their order. After a gap, deltas are withheld: the pieces of a text must
 * give the text. The rest of the text comes from the result.
 */
export class EventGuard {
  readonly attempt: number;
  #nextSeq = 0;
  #lost = 0;
  #emitted = '';
  /** True while deltas that are no part of the answer are withheld: up to the next event that is no delta. */
  #isBlockBroken = false;

  constructor(attempt: number) {
    this.attempt = attempt;
  }

  /** Number of events that never came. */
  get lost(): number {
    return this.#lost;
  }

  /** Number of events that came or are known to be lost. */
  get seen(): number {
    return this.#nextSeq;
  }

  /** Returns the events of the batch that may be shown. A batch that came before gives none. */
  take({ seq, events }: EventBatch): AgentEvent[] {
    if (seq > this.#nextSeq) {
      this.#lost += seq - this.#nextSeq;
      this.#nextSeq = seq;
      this.#isBlockBroken = true;
    }
    const fresh = events.slice(this.#nextSeq - seq);
    this.#nextSeq += fresh.length;
    return fresh.filter((event) => this.#maySee(event));
  }

  /** Counts events that the result proves to be missing at the end. */
  end(sent: number): void {
    if (sent <= this.#nextSeq) return;
    this.#lost += sent - this.#nextSeq;
    this.#nextSeq = sent;
  }

  /** Returns the rest of the text after a gap. Empty if nothing was lost, or if the text is not the one of the deltas. */
  restOf(text: string): string {
    return this.#lost === 0 ? '' : findRest(text, this.#emitted);
  }

  #maySee(event: AgentEvent): boolean {
    if (event.type !== 'text-delta') {
      this.#isBlockBroken = false;
      return true;
    }
    // The text of a sub-agent is no part of the result's text.
    const isAnswer = event.textKind === 'text' && event.parentCallId === undefined;
    if (!isAnswer) return !this.#isBlockBroken;
    if (this.#lost > 0) return false;
    this.#emitted += event.text;
    return true;
  }
}

/** Returns what follows after the beginning. Empty lines between two answers are in the text, but in no delta. */
export function findRest(text: string, beginning: string): string {
  let at = 0;
  for (let index = 0; index < beginning.length; index++) {
    if (text[at] !== beginning[index] && text.startsWith('\n\n', at)) at += 2;
    if (text[at] !== beginning[index]) return '';
    at++;
  }
  return text.slice(at);
}
