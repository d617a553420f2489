import type { AgentEvent } from '../../api/agent-event.js';
import { LineFramer } from '../../base/ndjson/line-framer.js';
import { parseJsonLine } from '../../base/ndjson/parse-json-line.js';
import { parseWireEvent, type WireResult } from './headless-wire.js';
import { EventMapper } from './map-event.js';

const SAMPLE_LENGTH = 200;
/** Beginning of an event, as the CLI prints it. */
const EVENT_START = '{"type":"';
/** Limit of the places in one line where an event behind other text may begin. */
const MOST_STARTS = 10;

/** Counts of unexpected lines, which are never fatal. */
export interface StreamNoise {
  readonly nonJsonLines: number;
  readonly overlongLines: number;
  readonly unknownEvents: number;
  readonly invalidEvents: number;
  /** Beginning of the first line of each sort. */
  readonly samples: Readonly<Partial<Record<NoiseSort, string>>>;
}

export type NoiseSort = Exclude<keyof StreamNoise, 'samples'>;

/** Turns the bytes of `-o stream-json` into events, and keeps the `result` event that ends the turn. */
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
  #rawTerminal: unknown;
  #wireEvents = 0;
  #isTorn = false;

  constructor(options: { readonly maxLineBytes?: number | undefined } = {}) {
    this.#framer = new LineFramer({
      onLine: (line) => this.#readLine(line),
      onOverlong: (bytes) => this.#count('overlongLines', `${bytes} bytes`),
      maxLineBytes: options.maxLineBytes,
    });
  }

  /** Returns the events that these bytes complete. */
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

  /** True if the output ends in the middle of a line. Known after `end()`. */
  get isTorn(): boolean {
    return this.#isTorn;
  }

  /** Event `result`; undefined until it arrives. */
  get terminal(): WireResult | undefined {
    return this.#terminal;
  }

  /** Event `result` before its validation. */
  get rawTerminal(): unknown {
    return this.#rawTerminal;
  }

  /** Number of lines that were events of a known type. */
  get wireEvents(): number {
    return this.#wireEvents;
  }

  /** Number of lines that were not JSON or of an unknown type. */
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
    // Parse only lines that end with a brace: the exceptions of a million other lines would take seconds.
    const mayBeEvent = line.trimEnd().endsWith('}');
    const value = mayBeEvent ? parseJsonLine(line) : undefined;
    if (value === undefined) {
      this.#count('nonJsonLines', line);
      if (mayBeEvent) this.#readGlued(line);
      return;
    }
    this.#readEvent(value, line);
  }

  /** Reads an event behind a text without a newline, for example of a hook that writes to the same stdout. */
  #readGlued(line: string): void {
    let start = line.indexOf(EVENT_START);
    for (let tries = 0; start !== -1 && tries < MOST_STARTS; tries++) {
      const value = start === 0 ? undefined : parseJsonLine(line.slice(start));
      if (value !== undefined && parseWireEvent(value).kind === 'event') {
        this.#readEvent(value, line);
        return;
      }
      start = line.indexOf(EVENT_START, start + 1);
    }
  }

  #readEvent(value: object, line: string): void {
    const parsed = parseWireEvent(value);
    if (parsed.kind === 'event') {
      this.#wireEvents++;
      if (parsed.event.type === 'result') {
        this.#terminal = parsed.event;
        this.#rawTerminal = value;
      }
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

/** Cuts at a word boundary: the redactor could not recognise a secret that was cut in half. */
function shorten(sample: string): string {
  if (sample.length <= SAMPLE_LENGTH) return sample;
  return `${sample.slice(0, SAMPLE_LENGTH).replace(/[^\s"]*$/, '')}…`;
}
