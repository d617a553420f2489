import type { Redactor } from '../base/errors/redact.js';
import { isObject } from '../base/json/is-object.js';
import { parseJsonLine } from '../base/ndjson/parse-json-line.js';

/** Fields that hold a piece of a text, in the events of the CLI and of ACP. */
const PIECE_FIELDS = ['content', 'text', 'delta', 'data', 'thought'];
/** Fields that tell texts apart whose pieces alternate, such as thoughts and answers. */
const KIND_FIELDS = ['type', 'role', 'sessionUpdate'];
/** Deepest object in which pieces are looked for. */
const DEEPEST = 6;

interface Piece {
  readonly holder: Record<string, unknown>;
  readonly field: string;
  readonly text: string;
  readonly line: number;
}

/**
 * Redacts recorded output, also secrets whose text the agent has sent in several events: the pieces of each text are
 * redacted as one text. Each line stays JSON, and lines without such a secret stay as they are.
 */
export function redactRecording(recording: string, redactor: Redactor): string {
  const lines = recording.split('\n');
  const texts = new Map<string, Piece[]>();
  const events = lines.map((line, index) => {
    const event = parseJsonLine(line);
    if (isObject(event)) collectPieces(event, '', { line: index, texts, depth: 0 });
    return event;
  });
  for (const pieces of texts.values()) {
    const redacted = redactor.pieces(pieces.map(({ text }) => text));
    for (const [index, { holder, field, text, line }] of pieces.entries()) {
      if (redacted[index] === text) continue;
      holder[field] = redacted[index];
      lines[line] = JSON.stringify(events[line]);
    }
  }
  return redactor.text(lines.join('\n'));
}

interface Search {
  readonly line: number;
  readonly texts: Map<string, Piece[]>;
  readonly depth: number;
}

function collectPieces(object: Record<string, unknown>, path: string, search: Search): void {
  const { line, texts, depth } = search;
  const kind = KIND_FIELDS.map((name) => object[name])
    .filter((value) => typeof value === 'string')
    .join(' ');
  const at = `${path}/${kind}`;
  for (const [field, value] of Object.entries(object)) {
    if (typeof value === 'string' && PIECE_FIELDS.includes(field)) {
      const key = `${at}.${field}`;
      const pieces = texts.get(key) ?? [];
      pieces.push({ holder: object, field, text: value, line });
      texts.set(key, pieces);
    } else if (isObject(value) && depth < DEEPEST) {
      collectPieces(value, `${at}.${field}`, { line, texts, depth: depth + 1 });
    }
  }
}
