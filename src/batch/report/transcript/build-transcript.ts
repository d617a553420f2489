import { isObject } from '../../../base/json/is-object.js';
import { summariseInput } from './summarise-input.js';
import type { ToolVerdict, Transcript, TranscriptEntry, TranscriptText } from './transcript.js';

/** Longest text of one entry, in characters. */
const LONGEST_TEXT = 4_000;
const LONGEST_OUTPUT = 1_000;
/** Size of a whole transcript in characters. */
export const TRANSCRIPT_CHARACTERS = 64 * 1024;

type Fields = Readonly<Record<string, unknown>>;

/** Tool call whose result may follow. */
interface OpenTool {
  kind: 'tool';
  tool: string;
  summary: string;
  verdict: ToolVerdict;
  durationMs?: number | undefined;
  output?: string | undefined;
  generationId?: string | undefined;
  startedMs: number;
}

interface OpenText {
  kind: TranscriptText['kind'];
  text: string;
  cut: number;
  generationId?: string | undefined;
}

/** Builds the transcript of a step from its events, which are not trusted: fields of other types are ignored. */
export class TranscriptBuilder {
  readonly #denied: ReadonlySet<string>;
  readonly #entries: (OpenText | OpenTool)[] = [];
  readonly #calls = new Map<string, OpenTool>();
  #isDelta = false;

  /** @param denied ids of the tool calls that were refused */
  constructor(denied: ReadonlySet<string> = new Set()) {
    this.#denied = denied;
  }

  add(event: Fields): void {
    const wasDelta = this.#isDelta;
    this.#isDelta = event['type'] === 'text-delta';
    switch (event['type']) {
      case 'user-input':
        if (event['isSynthetic'] !== true) this.#addText('prompt', event);
        break;
      case 'text':
        this.#addText(kindOfText(event), event);
        break;
      case 'text-delta':
        this.#addDelta(event, wasDelta);
        break;
      case 'tool-invocation':
        this.#addCall(event);
        break;
      case 'tool-completion':
        this.#completeCall(event);
        break;
      case 'session-status':
        this.#addStatus(event);
        break;
      case 'turn-complete':
        this.#addEnd(event);
        break;
    }
  }

  /** Returns the transcript: the last entries that fit. The end of a step says most about its failure. */
  build(isCut = false): Transcript {
    let left = TRANSCRIPT_CHARACTERS;
    const entries: TranscriptEntry[] = [];
    for (const entry of this.#entries.toReversed()) {
      const shown = toEntry(entry);
      left -= JSON.stringify(shown).length;
      if (left < 0) return { entries: entries.toReversed(), isCut: true };
      entries.push(shown);
    }
    return { entries: entries.toReversed(), isCut };
  }

  #addText(kind: TranscriptText['kind'], event: Fields, text = textOf(event['text'])): void {
    if (text === '') return;
    const kept = text.slice(0, LONGEST_TEXT);
    const generationId = idOf(event);
    this.#entries.push({ kind, text: kept, cut: text.length - kept.length, generationId });
  }

  #addDelta(event: Fields, wasDelta: boolean): void {
    const kind = kindOfText(event);
    const last = this.#entries.at(-1);
    if (!wasDelta || last === undefined || last.kind === 'tool' || last.kind !== kind) {
      this.#addText(kind, event);
      return;
    }
    const text = textOf(event['text']);
    const kept = text.slice(0, Math.max(0, LONGEST_TEXT - last.text.length));
    last.text += kept;
    last.cut += text.length - kept.length;
  }

  #addCall(event: Fields): void {
    const callId = textOf(event['callId']);
    const call: OpenTool = {
      kind: 'tool',
      tool: textOf(event['toolName']).slice(0, 200),
      summary: summariseInput(event),
      verdict: 'open',
      generationId: idOf(event),
      startedMs: timeOf(event),
    };
    this.#calls.set(callId, call);
    this.#entries.push(call);
  }

  #completeCall(event: Fields): void {
    const callId = textOf(event['callId']);
    if (!this.#calls.has(callId)) this.#addCall(event);
    const call = this.#calls.get(callId);
    if (call === undefined) return;
    const isFailed = event['status'] === 'failed' || event['isError'] === true;
    call.verdict = this.#denied.has(callId) ? 'denied' : isFailed ? 'failed' : 'completed';
    const durationMs = timeOf(event) - call.startedMs;
    if (durationMs >= 0) call.durationMs = durationMs;
    const message = isObject(event['error']) ? textOf(event['error']['message']) : '';
    const output = message === '' ? textOf(event['output']) : message;
    // The end of an output says how the command ended.
    if (output !== '') call.output = output.slice(-LONGEST_OUTPUT);
  }

  #addStatus(event: Fields): void {
    const kind = event['status'] === 'repairing' ? 'repair' : 'status';
    this.#addText(kind, event, textOf(event['message']));
  }

  #addEnd(event: Fields): void {
    const { error } = event;
    if (!isObject(error)) return;
    this.#addText('error', event, `${textOf(error['code'])} ${textOf(error['message'])}`.trim());
  }
}

function toEntry(entry: OpenText | OpenTool): TranscriptEntry {
  if (entry.kind === 'tool') {
    const { startedMs: _, ...tool } = entry;
    return tool;
  }
  const { cut, ...text } = entry;
  return cut === 0 ? text : { ...text, cut };
}

function kindOfText({ textKind }: Fields): TranscriptText['kind'] {
  return textKind === 'thinking' || textKind === 'plan' ? textKind : 'text';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function idOf({ generationId }: Fields): string | undefined {
  return typeof generationId === 'string' ? generationId.slice(0, 100) : undefined;
}

/** Returns the time of an event: that of the agent, else the time at which the event was written. */
function timeOf({ timestamp, receivedAt }: Fields): number {
  const time = Date.parse(textOf(timestamp));
  return Number.isNaN(time) ? Date.parse(textOf(receivedAt)) : time;
}
