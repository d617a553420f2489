import type { AgentEvent } from '../../api/agent-event.js';
import { AGENT_EVENT, type EventBatch, packEvents } from '../protocol/event-batch.js';
import type { SigningTrust } from '../protocol/signature.js';
import type { BullProducer } from '../store/queue-store.js';

/** Events of this time travel together: one request per event would slow the agent down. */
const BATCH_MS = 25;
/** Most characters of one batch, about. An event of its own may be longer. */
const MOST_CHARACTERS = 64 * 1024;
/** Events longer than this are not sent: the result has what matters of them. */
const LONGEST_EVENT = 512 * 1024;
/** Most characters that wait for a slow store. Further events are not sent. */
const MOST_WAITING = 4 * 1024 * 1024;
/** Most characters of the last events that travel with the result. */
const MOST_TAIL = 16 * 1024;

export interface SenderRequest {
  readonly producer: BullProducer;
  readonly jobId: string;
  readonly attempt: number;
  readonly trust: SigningTrust;
  /** Resolves when the store knows of the attempt. No event is sent before that. */
  readonly begun: Promise<unknown>;
}

interface WaitingEvent {
  readonly seq: number;
  readonly event: AgentEvent;
  readonly length: number;
}

/**
 * Sends the events of one attempt in order, in batches. One batch is on its way at a time: with a slow store, batches become
 * larger and not more. What the store refuses is lost: events are hints.
 */
export class EventSender {
  readonly #request: SenderRequest;
  /** Events that the store has not confirmed. Those on their way come first. */
  #waiting: WaitingEvent[] = [];
  #characters = 0;
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #isEnded = false;

  constructor(request: SenderRequest) {
    this.#request = request;
  }

  /** Number of all events, sent or not. */
  get count(): number {
    return this.#count;
  }

  add(event: AgentEvent): void {
    const shown = withoutOwn(event);
    const { length } = JSON.stringify(shown);
    const seq = this.#count++;
    // A gap in the numbers tells the caller that an event is missing.
    if (length > LONGEST_EVENT || this.#characters > MOST_WAITING) return;
    this.#waiting.push({ seq, event: shown, length });
    this.#characters += length;
    if (this.#characters >= MOST_CHARACTERS) this.#send();
    else this.#timer ??= setTimeout(() => this.#send(), BATCH_MS);
  }

  /**
   * Ends the sending. If the result may carry the last events, those that the store has not confirmed are returned, and nothing is
   * waited for. Else they are sent before.
   */
  async end(mayCarry: boolean): Promise<EventBatch | undefined> {
    const [first] = this.#waiting;
    if (first === undefined) return undefined;
    if (mayCarry && this.#characters <= MOST_TAIL && !this.#hasGap()) {
      this.#isEnded = true;
      clearTimeout(this.#timer);
      const events = this.#waiting.map(({ event }) => event);
      return { attempt: this.#request.attempt, seq: first.seq, events };
    }
    while (this.#waiting.length > 0) {
      this.#send();
      await this.#sending;
    }
    return undefined;
  }

  #hasGap(): boolean {
    const [first] = this.#waiting;
    return this.#count - (first?.seq ?? 0) !== this.#waiting.length;
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#sending !== undefined || this.#isEnded || this.#waiting.length === 0) return;
    const batch = this.#nextBatch();
    const { producer, jobId, attempt, trust, begun } = this.#request;
    const seq = batch[0]?.seq ?? 0;
    const fields = packEvents(jobId, { attempt, seq, events: batch.map((it) => it.event) }, trust);
    this.#sending = begun
      .then(() => producer.publish(AGENT_EVENT, fields))
      .catch(() => {})
      .then(() => {
        this.#sending = undefined;
        this.#waiting = this.#waiting.slice(batch.length);
        this.#characters -= batch.reduce((sum, { length }) => sum + length, 0);
        if (this.#characters >= MOST_CHARACTERS) this.#send();
        else if (this.#waiting.length > 0 && !this.#isEnded)
          this.#timer ??= setTimeout(() => this.#send(), BATCH_MS);
      });
  }

  /** Returns the first events without a gap between them, up to the size of a batch. */
  #nextBatch(): WaitingEvent[] {
    const batch: WaitingEvent[] = [];
    let characters = 0;
    for (const waiting of this.#waiting) {
      const isNext = waiting.seq === (batch[0]?.seq ?? waiting.seq) + batch.length;
      if (!isNext || (batch.length > 0 && characters + waiting.length > MOST_CHARACTERS)) break;
      batch.push(waiting);
      characters += waiting.length;
    }
    return batch;
  }
}

/** Leaves out what belongs to this side alone: the id of the worker's `generate()`, and the message on the wire. */
function withoutOwn(event: AgentEvent): AgentEvent {
  if (event.type === 'unknown') return { ...event, generationId: undefined };
  return { ...event, generationId: undefined, raw: undefined };
}
