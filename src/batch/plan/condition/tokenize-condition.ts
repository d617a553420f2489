import { parseStepReference } from '../step-reference.js';
import { type ComparisonOperator, ConditionFault, type ConditionToken } from './condition.js';

type Content = ConditionToken['content'];
type Reader = readonly [RegExp, (text: string, at: number) => Content];

const FIELDS = 'text, files, data, state or error';
const VARIABLE = /^[A-Za-z_][\w-]*$/;
const WORDS: Readonly<Record<string, Content>> = {
  and: { kind: 'word', word: 'and' },
  or: { kind: 'word', word: 'or' },
  not: { kind: 'word', word: 'not' },
  '(': { kind: 'word', word: '(' },
  ')': { kind: 'word', word: ')' },
  contains: { kind: 'operator', operator: 'contains' },
  true: { kind: 'literal', value: true },
  false: { kind: 'literal', value: false },
  null: { kind: 'literal', value: null },
};
/** Operators of other languages, and what to write in their place. */
const FOREIGN: readonly (readonly [string, string])[] = [
  ['===', '=='],
  ['!==', '!='],
  ['=', '=='],
  ['&&', 'and'],
  ['||', 'or'],
  ['!', 'not'],
];

/** Ways to read a token, tried one after another at each position. All patterns are sticky. */
const READERS: readonly Reader[] = [
  [/\{\{.*?\}\}/sy, (text, at) => toName(text.slice(2, -2).trim(), at)],
  [/"(?:[^"\\]|\\.)*"/sy, (text, at) => ({ kind: 'literal', value: readDouble(text, at) })],
  [/'(?:[^'\\]|\\.)*'/sy, (text) => ({ kind: 'literal', value: unescapeSingle(text) })],
  [/-?\d+(?:\.\d+)?(?![\w.])/y, (text) => ({ kind: 'literal', value: Number(text) })],
  [/(?:==|!=|<=|>=|<|>)(?!=)/y, (text) => ({ kind: 'operator', operator: toComparison(text) })],
  [/[()]/y, (text, at) => WORDS[text] ?? toName(text, at)],
  [/steps\.[\w./-]+(?:\[[^\]]*\][\w./-]*)?/y, toName],
  [
    /[A-Za-z_][\w-]*/y,
    (text, at) => (Object.hasOwn(WORDS, text) ? WORDS[text] : undefined) ?? toName(text, at),
  ],
];

/** Splits the text of a condition into tokens. Throws `ConditionFault`. */
export function tokenizeCondition(text: string): ConditionToken[] {
  const tokens: ConditionToken[] = [];
  const space = /\s*/y;
  for (let start = 0; ; ) {
    space.lastIndex = start;
    space.exec(text);
    start = space.lastIndex;
    if (start >= text.length) return tokens;
    const token = readToken(text, start);
    tokens.push(token);
    start = token.end;
  }
}

function readToken(text: string, start: number): ConditionToken {
  for (const [pattern, read] of READERS) {
    pattern.lastIndex = start;
    const match = pattern.exec(text);
    if (match === null) continue;
    return { start, end: start + match[0].length, content: read(match[0], start) };
  }
  const foreign = FOREIGN.find(([sign]) => text.startsWith(sign, start));
  if (foreign !== undefined) {
    throw new ConditionFault(`"${foreign[0]}" is unknown here: write "${foreign[1]}"`, start);
  }
  const letter = String.fromCodePoint(text.codePointAt(start) ?? 0);
  const problem =
    letter === '"' || letter === "'"
      ? 'has a quote that is not closed'
      : text.startsWith('{{', start)
        ? 'has {{ that is never closed with }}'
        : `"${letter}" is unexpected`;
  throw new ConditionFault(problem, start);
}

function toName(name: string, at: number): Content {
  if (VARIABLE.test(name)) return { kind: 'variable', name };
  const reference = parseStepReference(name);
  if (reference !== undefined) return { kind: 'reference', reference };
  const problem = `"${name}" must be a variable, or steps.ID with the field ${FIELDS}`;
  throw new ConditionFault(problem, at);
}

function toComparison(text: string): ComparisonOperator {
  switch (text) {
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
      return text;
    default:
      return '>=';
  }
}

function readDouble(text: string, at: number): string {
  try {
    return String(JSON.parse(text.replaceAll('\n', '\\n')));
  } catch {
    throw new ConditionFault(`${text} is not a valid text`, at);
  }
}

function unescapeSingle(text: string): string {
  return text.slice(1, -1).replaceAll(/\\(['\\])/g, '$1');
}
