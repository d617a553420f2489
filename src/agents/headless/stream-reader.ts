import type { AgentEvent } from '../../api/agent-event.js';
import { LineFramer } from '../../base/ndjson/line-framer.js';
import { parseJsonLine } from '../../base/ndjson/parse-json-line.js';
import { parseWireEvent, type WireResult } from './headless-wire.js';
import { EventMapper } from './map-event.js';

const SAMPLE_LENGTH = 200;

/** Lines that were not what they should be: never fatal, always counted. */
export interface StreamNoise {
  readonly nonJsonLines: number;
  readonly overlongLines: number;
  readonly unknownEvents: number;
  readonly invalidEvents: number;
  /** The beginning of the first line of each sort. */
  readonly samples: Readonly<Partial<Record<NoiseSort, string>>>;
}

type NoiseSort = Exclude<keyof StreamNoise, 'samples'>;

/** Turns the bytes of `-o stream-json` into events, and remembers the one that ends the run. */
export class StreamReader {
  readonly #framer: LineFramer;
  readonly #mapper = new EventMapper();
  readonly #noise: Record<NoiseSort, number> = {
    nonJsonLines: 0,
    overlongLines: 0,
    unknownEvents: 0,
    invalidEvents: 0,
  };
  readonly #samples: Partial<Record<NoiseSort, string>> = {};
  #events: AgentEvent[] = [];
  #terminal: WireResult | undefined;
  #wireEvents = 0;
  #isTorn = false;

  constructor(options: { readonly maxLineBytes?: number | undefined } = {}) {
    this.#framer = new LineFramer({
      onLine: (line) => this.#readLine(line),
      onOverlong: (bytes) => this.#count('overlongLines', `${bytes} bytes`),
      maxLineBytes: options.maxLineBytes,
    });
  }

  /** The events that these bytes completed. */
  push(chunk: Buffer): AgentEvent[] {
    this.#framer.push(chunk);
    return this.#take();
  }

  end(): AgentEvent[] {
    const noise = this.#noise.nonJsonLines;
    const isOpen = this.#framer.end();
    this.#isTorn = isOpen && this.#noise.nonJsonLines > noise;
    return this.#take();
  }

  /** Whether the output breaks off in the middle of a line. Known after `end()`. */
  get isTorn(): boolean {
    return this.#isTorn;
  }

  /** The `result` event, once it has come. */
  get terminal(): WireResult | undefined {
    return this.#terminal;
  }

  /** How many lines were events of a type that is known. */
  get wireEvents(): number {
    return this.#wireEvents;
  }

  /** How many lines were something else. */
  get foreignLines(): number {
    return this.#noise.nonJsonLines + this.#noise.unknownEvents;
  }

  get noise(): StreamNoise {
    return { ...this.#noise, samples: this.#samples };
  }

  #take(): AgentEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #readLine(line: string): void {
    // An object ends with a brace; a million lines without one would cost seconds of exceptions.
    const value = line.trimEnd().endsWith('}') ? parseJsonLine(line) : undefined;
    if (value === undefined) {
      this.#count('nonJsonLines', line);
      return;
    }
    const parsed = parseWireEvent(value);
    if (parsed.kind === 'event') {
      this.#wireEvents++;
      if (parsed.event.type === 'result') this.#terminal = parsed.event;
      const event = this.#mapper.map(parsed.event, value);
      if (event !== undefined) this.#events.push(event);
      return;
    }
    if (parsed.kind === 'invalid') this.#count('invalidEvents', parsed.problem);
    else this.#count('unknownEvents', line);
    this.#events.push({ type: 'unknown', raw: value });
  }

  #count(sort: NoiseSort, sample: string): void {
    this.#noise[sort]++;
    this.#samples[sort] ??= shorten(sample);
  }
}

/** Whole words: what was cut may be half of a secret, which nobody would recognise. */
function shorten(sample: string): string {
  if (sample.length <= SAMPLE_LENGTH) return sample;
  return `${sample.slice(0, SAMPLE_LENGTH).replace(/[^\s"]*$/, '')}…`;
}
