import { appendFileSync } from 'node:fs';
import type { AgentEvent } from '../../api/agent-event.js';
import { LineFramer } from '../../base/ndjson/line-framer.js';
import { Alarm } from '../../base/process/alarm.js';
import { FileTail } from '../../base/process/file-tail.js';

/** As much as is kept in memory for somebody who is slow to take it. */
const MOST_EVENTS = 1_000;
const MOST_CHARACTERS = 4 * 1024 * 1024;

/**
 * Events on their way to a consumer who sets the pace. The agent cannot be held back without holding back
 * its other sessions, so what is too much for the memory waits in a file.
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

  /** The file is made when it is needed, and is the caller's to remove. */
  constructor(file: string) {
    this.#file = file;
  }

  push(event: AgentEvent): void {
    if (
      this.#isSpilling ||
      this.#events.length >= MOST_EVENTS ||
      this.#characters > MOST_CHARACTERS
    )
      this.#spill(event);
    else {
      this.#events.push(event);
      this.#characters += sizeOf(event);
    }
    this.#alarm.ring();
  }

  /** No more will come. */
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
    // Only now may new events overtake the file: more may have been written while we read.
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

/** Only roughly, and twice, for what came over the wire is kept too: text, output and diffs are what grows. */
function sizeOf(event: AgentEvent): number {
  if (event.type === 'text-delta') return event.text.length * 2;
  if (event.type !== 'tool-completion') return 500;
  const diffs = event.content?.map((block) => {
    return block.type === 'diff' ? (block.oldText?.length ?? 0) + block.newText.length : 0;
  });
  const shown = diffs?.reduce((sum, length) => sum + length, 0) ?? 0;
  return ((event.output?.length ?? 0) + shown) * 2 + 500;
}
