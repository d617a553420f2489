import { blankJsonComments } from '../../base/json/blank-json-comments.js';
import { DEEPEST } from './document-nodes.js';
import { type ParsedDocument, parseDocument } from './parse-document.js';

/**
 * Parses JSON that may have comments. `JSON.parse` comes first; the slow parser, which knows lines, reads only text
 * with faults or comments.
 */
export function parseJson(text: string): ParsedDocument {
  let document: ParsedDocument | undefined;
  const readSlowly = () => {
    document ??= parseDocument(blankJsonComments(text), 'json');
    return document;
  };
  const content = parseQuickly(text);
  if (content === undefined) return describeCutOff(text) ?? readSlowly();
  return { content, faults: [], lineOf: (path) => readSlowly().lineOf(path) };
}

/** Returns the fault of a text that ends inside of a value. The slow parser would name another reason. */
function describeCutOff(text: string): ParsedDocument | undefined {
  const bare = blankJsonComments(text);
  const open: string[] = [];
  for (let at = 0; at < bare.length; at++) {
    const letter = bare[at];
    if (letter === '"') {
      at = findClosingQuote(bare, at);
      if (at === bare.length) return cutOff(text, 'a quote is not closed');
    } else if (letter === '{') open.push('}');
    else if (letter === '[') open.push(']');
    // A text with a wrong bracket has another fault than its end.
    else if ((letter === '}' || letter === ']') && open.pop() !== letter) return undefined;
  }
  const missing = open.at(-1);
  return missing === undefined ? undefined : cutOff(text, `"${missing}" is missing`);
}

function cutOff(text: string, reason: string): ParsedDocument {
  const line = text.split('\n').length;
  const fault = { path: [], line, problem: `is not JSON: the text is cut off, ${reason}` };
  return { content: undefined, faults: [fault], lineOf: () => 1 };
}

/** Parses with `JSON.parse`. Returns undefined if the text is not plain JSON, nests too deeply or may repeat a key. */
function parseQuickly(text: string): unknown {
  try {
    const content: unknown = JSON.parse(text);
    return countKeys(content) === countWrittenKeys(text) ? content : undefined;
  } catch {
    return undefined;
  }
}

/** Counts the keys of the parsed value: fewer than in the text if a key is given twice. NaN if it nests too deeply. */
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

/** Counts the strings before a colon. A regular expression would overflow its stack on a long prompt. */
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
