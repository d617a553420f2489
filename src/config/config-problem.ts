import { inspect } from 'node:util';
import type { ConfigProblem } from '../api/error.js';
import { ProviderError } from '../base/errors/provider-error.js';
import { findSizeProblem } from '../base/json/find-size-problem.js';
import { exampleOf } from './config-examples.js';

const LONGEST_SHOWN_VALUE = 80;
/** Most problems in a message, and in the list of an error. */
const MOST_SHOWN = 50;
const MOST_PROBLEMS = 1_000;
const MOST_EXAMPLES = 3;
/** Longest value in `problems`, as JSON. A longer one is shortened: an error is logged and kept as a whole. */
const LONGEST_VALUE = 65_536;
const MOST_VALUES = 10_000;

/** Describes a wrong value. Values of `env` and `secrets` are hidden; values that JSON cannot express become text. */
export function toProblem(
  path: readonly PropertyKey[],
  value: unknown,
  problem: string,
): ConfigProblem {
  const isSecret = path[0] === 'env' || path[0] === 'secrets';
  const key = path.map(String).join('.');
  return { key, value: isSecret ? '(hidden)' : toJsonValue(value), problem };
}

/** Creates one INVALID_CONFIG error for all problems. */
export function invalidConfig(problems: readonly ConfigProblem[]): ProviderError {
  const shown = problems.slice(0, MOST_SHOWN);
  const more = problems.length > MOST_SHOWN ? `; and ${problems.length - MOST_SHOWN} more` : '';
  return new ProviderError({
    code: 'INVALID_CONFIG',
    message: `Invalid configuration: ${shown.map(describeProblem).join('; ')}${more}`,
    hint: `Correct ${[...new Set(shown.map(({ key }) => key))].join(', ')}.${showExamples(shown)}`,
    problems: problems.slice(0, MOST_PROBLEMS),
  });
}

/** Returns an example for each wrong key of the configuration, at most three. */
function showExamples(problems: readonly ConfigProblem[]): string {
  const keys = problems.map(({ key }) => toCamelCase(key.split('.', 1)[0] ?? ''));
  const examples = [...new Set(keys)]
    .flatMap((key) => exampleOf(key) ?? [])
    .slice(0, MOST_EXAMPLES);
  if (examples.length === 0) return '';
  return ` Example${examples.length === 1 ? '' : 's'}: ${examples.join('; ')}.`;
}

function toCamelCase(key: string): string {
  return key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function toJsonValue(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (typeof value === 'string') return shorten(value, LONGEST_VALUE);
  try {
    if (findSizeProblem(value, MOST_VALUES) !== undefined) return inspectShortly(value);
    const json = JSON.stringify(value);
    return json === undefined || json.length > LONGEST_VALUE ? inspectShortly(value) : value;
  } catch {
    return inspectShortly(value);
  }
}

function inspectShortly(value: unknown): string {
  const limits = { depth: 1, maxArrayLength: 20, maxStringLength: LONGEST_SHOWN_VALUE };
  return shorten(inspect(value, limits), LONGEST_VALUE);
}

function shorten(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

export function describeProblem({ key, value, problem }: ConfigProblem): string {
  // A value that is missing has no form in JSON.
  if (value === undefined) return `${key}: ${problem}`;
  return `${key} = ${shorten(JSON.stringify(value), LONGEST_SHOWN_VALUE)}: ${problem}`;
}

/** Shows any value in a message: as short JSON, or as text if JSON cannot express it. */
export function showValue(value: unknown): string {
  return shorten(JSON.stringify(toJsonValue(value)), LONGEST_SHOWN_VALUE);
}
