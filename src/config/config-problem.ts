import { inspect } from 'node:util';
import type { ConfigProblem } from '../api/error.js';
import { ProviderError } from '../base/errors/provider-error.js';

const LONGEST_SHOWN_VALUE = 80;

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
  return new ProviderError({
    code: 'INVALID_CONFIG',
    message: `Invalid configuration: ${problems.map(describeProblem).join('; ')}`,
    hint: `Correct ${[...new Set(problems.map(({ key }) => key))].join(', ')}.`,
    problems,
  });
}

function toJsonValue(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  try {
    return JSON.stringify(value) === undefined ? inspect(value) : value;
  } catch {
    return inspect(value, { depth: 1 });
  }
}

export function describeProblem({ key, value, problem }: ConfigProblem): string {
  const text = JSON.stringify(value);
  const shown = text.length > LONGEST_SHOWN_VALUE ? `${text.slice(0, LONGEST_SHOWN_VALUE)}…` : text;
  return `${key} = ${shown}: ${problem}`;
}
