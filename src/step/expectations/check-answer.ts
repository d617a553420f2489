import type { AnswerSchema, MissingExpectation } from '../../api/expectations.js';
import { messageOf } from '../../base/errors/message-of.js';
import {
  type CheckedAnswer,
  createAnswerCheck,
  isSchemaLike,
  type SchemaProblem,
} from '../../config/answer-schema.js';
import { findJson } from './find-json.js';
import { quote, shorten } from './wording.js';

const MOST_PROBLEMS = 20;
/** Longest schema that is shown to the model. A longer one helps less than the list of problems. */
const LONGEST_SCHEMA = 4_000;

export function checkContains(texts: readonly string[], answer: string): MissingExpectation[] {
  return texts
    .filter((text) => !answer.includes(text))
    .map((text) => ({ kind: 'contains', message: `The answer does not contain ${quote(text)}` }));
}

export interface CheckedJson {
  readonly missing: readonly MissingExpectation[];
  readonly data?: unknown;
}

/**
 * Finds the last JSON that satisfies the schema, in the last answer that has one. If there is none, it reports the
 * problems of the last JSON that was given.
 */
export function checkJsonAnswer(schema: AnswerSchema, answers: readonly string[]): CheckedJson {
  const check = createAnswerCheck(schema);
  let nearest: CheckedAnswer | undefined;
  for (const answer of answers.toReversed()) {
    for (const group of findJson(answer)) {
      for (const value of group.toReversed()) {
        const checked = checkSafely(check, value);
        if (checked.ok) return { missing: [], data: checked.data };
        nearest ??= checked;
      }
    }
  }
  const problems = nearest === undefined || nearest.ok ? undefined : nearest.problems;
  return { missing: [describe(schema, problems)] };
}

/** Turns an exception into a problem: a schema in code may throw, and a recursive one may overflow the stack. */
function checkSafely(check: (value: unknown) => CheckedAnswer, value: unknown): CheckedAnswer {
  try {
    return check(value);
  } catch (error) {
    const reason = messageOf(error);
    return { ok: false, problems: [{ pointer: '', message: `cannot be checked: ${reason}` }] };
  }
}

function describe(
  schema: AnswerSchema,
  problems: readonly SchemaProblem[] | undefined,
): MissingExpectation {
  const message =
    problems === undefined
      ? 'The answer contains no JSON'
      : `The JSON of the answer does not match its schema: ${summarise(problems)}`;
  const detail = [...listProblems(problems ?? []), ...showSchema(schema)].join('\n');
  return { kind: 'json', message, ...(detail === '' ? {} : { detail }) };
}

function summarise([first, ...others]: readonly SchemaProblem[]): string {
  if (first === undefined) return 'the schema gives no reason';
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return shorten(`${nameOf(first)} ${first.message}`) + more;
}

function listProblems(problems: readonly SchemaProblem[]): string[] {
  const shown = problems.slice(0, MOST_PROBLEMS);
  const lines = shown.map((problem) => `${nameOf(problem)}: ${problem.message}`);
  const left = problems.length - shown.length;
  return left === 0 ? lines : [...lines, `(and ${left} more)`];
}

function nameOf({ pointer }: SchemaProblem): string {
  return pointer === '' ? '(the value itself)' : pointer;
}

function showSchema(schema: AnswerSchema): string[] {
  if (isSchemaLike(schema)) return [];
  const text = JSON.stringify(schema);
  return text.length > LONGEST_SCHEMA ? [] : [`JSON Schema: ${text}`];
}
