import type { StepReference } from '../step-reference.js';
import { type Condition, ConditionFault, type ConditionToken } from './condition.js';
import { tokenizeCondition } from './tokenize-condition.js';

/** Most levels of parentheses and `not`. Far more could exceed the call stack. */
const DEEPEST_CONDITION = 100;

/** A condition with the positions of its names. */
export interface ParsedCondition {
  readonly condition: Condition;
  readonly tokens: readonly ConditionToken[];
  readonly references: readonly StepReference[];
}

/**
 * Parses `when`: comparisons (`==`, `!=`, `<`, `<=`, `>`, `>=`, `contains`) of variables, `steps.ID.field` and literals,
 * joined by `and`, `or`, `not` and parentheses. Throws `ConditionFault`.
 */
export function parseCondition(text: string): ParsedCondition {
  const tokens = tokenizeCondition(text);
  let next = 0;
  let depth = 0;
  const peek = () => tokens[next]?.content;
  const isWord = (word: string): boolean => {
    const content = peek();
    return content?.kind === 'word' && content.word === word;
  };
  const take = (word: string): boolean => {
    const isNext = isWord(word);
    if (isNext) next++;
    return isNext;
  };
  const fail = (expected: string): never => {
    const token = tokens[next];
    const found = token === undefined ? 'the end' : `"${text.slice(token.start, token.end)}"`;
    throw new ConditionFault(`expected ${expected}, found ${found}`, token?.start ?? text.length);
  };

  const readInner = (read: () => Condition): Condition => {
    depth++;
    if (depth > DEEPEST_CONDITION) {
      const problem = `is nested deeper than ${DEEPEST_CONDITION} levels`;
      throw new ConditionFault(problem, tokens[next - 1]?.start ?? 0);
    }
    const inner = read();
    depth--;
    return inner;
  };
  const readList = (kind: 'and' | 'or', readPart: () => Condition): Condition => {
    const first = readPart();
    const parts = [first];
    while (take(kind)) parts.push(readPart());
    return parts.length === 1 ? first : { kind, parts };
  };
  const readOr = (): Condition => readList('or', () => readList('and', readNot));
  const readNot = (): Condition =>
    take('not') ? { kind: 'not', part: readInner(readNot) } : readComparison();
  const readComparison = (): Condition => {
    const left = readOperand();
    const content = peek();
    if (content?.kind !== 'operator') return left;
    next++;
    return { kind: 'compare', operator: content.operator, left, right: readOperand() };
  };
  const readOperand = (): Condition => {
    if (take('(')) {
      const inner = readInner(readOr);
      return take(')') ? inner : fail('")"');
    }
    const content = peek();
    if (content === undefined || content.kind === 'word' || content.kind === 'operator') {
      return fail('a variable, steps.ID.field, a text in quotes, a number, true or false');
    }
    next++;
    return content;
  };

  const condition = readOr();
  if (next < tokens.length) fail('"and", "or" or the end');
  const references = tokens.flatMap(({ content }) =>
    content.kind === 'reference' ? [content.reference] : [],
  );
  return { condition, tokens, references };
}
