import type { AgentEvent } from '../../api/agent-event.js';
import { AGENT_EVENT, packEvents } from '../protocol/event-batch.js';
import type { SigningTrust } from '../protocol/signature.js';
import type { BullProducer } from '../store/queue-store.js';

/** Events of this time travel together: one request per event would slow the agent down. */
const BATCH_MS = 25;
/** Most characters of one batch, about. An event of its own may be longer. */
const MOST_CHARACTERS = 64 * 1024;
/** Events longer than this are not sent: the result has what matters of them. */
const LONGEST_EVENT = 512 * 1024;

/** Sends the events of one attempt in order, in batches. What the store refuses is lost: events are hints. */
export class EventSender {
  readonly #producer: BullProducer;
  readonly #jobId: string;
  readonly #attempt: number;
  readonly #trust: SigningTrust;
  #waiting: AgentEvent[] = [];
  #characters = 0;
  #sent = 0;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> = Promise.resolve();

  constructor(producer: BullProducer, jobId: string, attempt: number, trust: SigningTrust) {
    this.#producer = producer;
    this.#jobId = jobId;
    this.#attempt = attempt;
    this.#trust = trust;
  }

  /** Number of all events, sent or waiting. */
  get count(): number {
    return this.#sent + this.#waiting.length;
  }

  add(event: AgentEvent): void {
    const shown = withoutOwn(event);
    const length = JSON.stringify(shown).length;
    if (length > LONGEST_EVENT) {
      // A gap in the numbers tells the caller that an event is missing.
      this.flush();
      this.#sent++;
      return;
    }
    this.#waiting.push(shown);
    this.#characters += length;
    if (this.#characters >= MOST_CHARACTERS) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), BATCH_MS);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting.length === 0) return;
    const batch = { attempt: this.#attempt, seq: this.#sent, events: this.#waiting };
    this.#sent += this.#waiting.length;
    this.#waiting = [];
    this.#characters = 0;
    const fields = packEvents(this.#jobId, batch, this.#trust);
    this.#sending = this.#sending
      .then(() => this.#producer.publish(AGENT_EVENT, fields))
      .catch(() => {});
  }

  /** Sends what is left, and waits until the store has it. */
  async end(): Promise<void> {
    this.flush();
    await this.#sending;
  }
}

/** Leaves out what belongs to this side alone: the id of the worker's `generate()`, and the message on the wire. */
function withoutOwn(event: AgentEvent): AgentEvent {
  if (event.type === 'unknown') return { ...event, generationId: undefined };
  return { ...event, generationId: undefined, raw: undefined };
}
