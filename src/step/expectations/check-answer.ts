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
/** A longer one says less to a model than the problems do. */
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
 * The last JSON that satisfies the schema, in the last answer that has one. Where none does, the problems of the last
 * that was given.
 */
export function checkJsonAnswer(schema: AnswerSchema, answers: readonly string[]): CheckedJson {
  const check = createAnswerCheck(schema);
  let nearest: CheckedAnswer | undefined;
  for (const answer of answers.toReversed()) {
    for (const group of findJson(answer)) {
      for (const value of group.toReversed()) {
        const checked = judge(check, value);
        if (checked.ok) return { missing: [], data: checked.data };
        nearest ??= checked;
      }
    }
  }
  const problems = nearest === undefined || nearest.ok ? undefined : nearest.problems;
  return { missing: [describe(schema, problems)] };
}

/** A schema of the caller's own may throw, and one that refers to itself may go too deep. */
function judge(check: (value: unknown) => CheckedAnswer, value: unknown): CheckedAnswer {
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
      ? 'The answer holds no JSON'
      : `The JSON of the answer is not as its schema wants it: ${summarise(problems)}`;
  const detail = [...listProblems(problems ?? []), ...showSchema(schema)].join('\n');
  return { kind: 'json', message, ...(detail === '' ? {} : { detail }) };
}

function summarise([first, ...others]: readonly SchemaProblem[]): string {
  if (first === undefined) return 'the schema does not say why';
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
