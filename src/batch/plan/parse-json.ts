import { blankJsonComments } from '../../base/json/blank-json-comments.js';
import { DEEPEST } from './document-nodes.js';
import { type ParsedDocument, parseDocument } from './parse-document.js';

/** JSON that may have comments. Only where something is wrong it is read by the parser that knows where, and is slow. */
export function parseJson(text: string): ParsedDocument {
  let document: ParsedDocument | undefined;
  const readSlowly = () => {
    document ??= parseDocument(blankJsonComments(text), 'json');
    return document;
  };
  const content = parseQuickly(text);
  if (content === undefined) return readSlowly();
  return { content, faults: [], lineOf: (path) => readSlowly().lineOf(path) };
}

/** Undefined for what is not plain JSON, and for what is suspicious. */
function parseQuickly(text: string): unknown {
  try {
    const content: unknown = JSON.parse(text);
    return countKeys(content) === countWrittenKeys(text) ? content : undefined;
  } catch {
    return undefined;
  }
}

/** Keys that are given twice are written more often than they are there. NaN where it nests too deeply. */
function countKeys(root: unknown): number {
  let count = 0;
  const pending = [{ value: root, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, depth } = next;
    if (depth > DEEPEST) return Number.NaN;
    if (typeof value !== 'object' || value === null) continue;
    const inner = Object.values(value);
    if (!Array.isArray(value)) count += inner.length;
    for (const item of inner) pending.push({ value: item, depth: depth + 1 });
  }
  return count;
}

/** Strings that a colon follows. A pattern would need a stack as deep as a prompt is long. */
function countWrittenKeys(text: string): number {
  let count = 0;
  for (let open = text.indexOf('"'); open !== -1; ) {
    const close = findClosingQuote(text, open);
    let after = close + 1;
    while (/\s/.test(text.charAt(after))) after++;
    if (text[after] === ':') count++;
    open = text.indexOf('"', close + 1);
  }
  return count;
}

function findClosingQuote(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return text.length;
}
