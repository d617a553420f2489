import { appendFileSync } from 'node:fs';
import type { AgentEvent } from '../../api/agent-event.js';
import { LineFramer } from '../../base/ndjson/line-framer.js';
import { Alarm } from '../../base/process/alarm.js';
import { FileTail } from '../../base/process/file-tail.js';

/** Limits of the events in memory. Further events go to the file until the consumer has caught up. */
const MAX_EVENTS = 1_000;
const MAX_CHARACTERS = 4 * 1024 * 1024;

/**
 * Queue of events for a consumer that may be slower than the agent. Back-pressure on the agent would also block its
 * other sessions, so events beyond the limits are written to a file.
 */
export class EventQueue {
  readonly #file: string;
  #events: AgentEvent[] = [];
  #characters = 0;
  #isSpilling = false;
  #spilledBytes = 0;
  #readBytes = 0;
  readonly #decoded: AgentEvent[] = [];
  readonly #framer = new LineFramer({ onLine: (line) => this.#decoded.push(JSON.parse(line)) });
  #tail: FileTail | undefined;
  readonly #alarm = new Alarm();
  #isEnded = false;

  /** Creates a queue. The file is created when it is needed. The caller removes it. */
  constructor(file: string) {
    this.#file = file;
  }

  push(event: AgentEvent): void {
    if (this.#isSpilling || this.#events.length >= MAX_EVENTS || this.#characters > MAX_CHARACTERS)
      this.#spill(event);
    else {
      this.#events.push(event);
      this.#characters += sizeOf(event);
    }
    this.#alarm.ring();
  }

  /** Ends the queue: no further events will be pushed. */
  end(): void {
    this.#isEnded = true;
    this.#alarm.ring();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<AgentEvent, void> {
    try {
      for (;;) {
        const events =
          this.#events.length > 0 ? this.#takeFromMemory() : await this.#takeFromFile();
        if (events.length > 0) yield* events;
        else if (this.#isEnded && !this.#isSpilling) return;
        else if (this.#events.length === 0 && !this.#isSpilling) await this.#wait();
      }
    } finally {
      await this.#tail?.close();
    }
  }

  #takeFromMemory(): AgentEvent[] {
    const events = this.#events;
    this.#events = [];
    this.#characters = 0;
    return events;
  }

  async #takeFromFile(): Promise<AgentEvent[]> {
    if (!this.#isSpilling) return [];
    this.#tail ??= await FileTail.open(this.#file);
    const chunk = await this.#tail.read();
    if (chunk !== undefined) {
      this.#readBytes += chunk.length;
      this.#framer.push(chunk);
    }
    // Keep new events in memory again only if the whole file was read: more may have been written during the read.
    if (this.#readBytes === this.#spilledBytes) this.#isSpilling = false;
    return this.#decoded.splice(0);
  }

  #spill(event: AgentEvent): void {
    const line = `${JSON.stringify(event)}\n`;
    appendFileSync(this.#file, line, { mode: 0o600 });
    this.#spilledBytes += Buffer.byteLength(line);
    this.#isSpilling = true;
  }

  async #wait(): Promise<void> {
    await this.#alarm.wait();
    this.#alarm.reset();
  }
}

/**
 * Estimates the size of an event in characters. Texts count twice, because `raw` holds them too. Fields other than
 * text, output and diffs are small.
 */
function sizeOf(event: AgentEvent): number {
  if (event.type === 'text-delta') return event.text.length * 2;
  if (event.type !== 'tool-completion') return 500;
  const diffs = event.content?.map((block) => {
    return block.type === 'diff' ? (block.oldText?.length ?? 0) + block.newText.length : 0;
  });
  const shown = diffs?.reduce((sum, length) => sum + length, 0) ?? 0;
  return ((event.output?.length ?? 0) + shown) * 2 + 500;
}
