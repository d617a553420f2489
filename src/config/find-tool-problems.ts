import type { ConfigProblem } from '../api/error.js';
import { toProblem } from './config-problem.js';
import { findToolNameProblem } from './tool-names.js';
import { findStrayRedirections, findToolRuleProblem } from './tool-rule.js';

type Rules = Readonly<Record<string, unknown>>;

/**
 * Finds names of tools that are most likely misspelled; with `strict`, every name that the CLI does not have. Works on values
 * that the schema may have refused, so that all problems are found at once.
 */
export function findWrongTools(values: Rules): ConfigProblem[] {
  return ['allowedTools', 'deniedTools'].flatMap((key) =>
    readableRules(values[key]).flatMap(([index, rule]) => {
      const found = findToolNameProblem(rule);
      if (found === undefined || !(found.isLikelyTypo || values['strict'] === true)) return [];
      return [toProblem([key, index], rule, found.problem)];
    }),
  );
}

/** Finds entries of `allowRedirection` that name no rule of `allowedTools`. */
export function findStrayRules({ allowRedirection, allowedTools }: Rules): ConfigProblem[] {
  const named = readableRules(allowRedirection).map(([, rule]) => rule);
  const allowed = readableRules(allowedTools).map(([, rule]) => rule);
  return findStrayRedirections(named, allowed).map((rule) => {
    return toProblem(['allowRedirection'], rule, 'is not a shell rule of allowedTools');
  });
}

/** Returns the rules of a list that can be read, with their indexes. The schema reports the others. */
function readableRules(value: unknown): readonly (readonly [index: number, rule: string])[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return items.flatMap((rule, index): (readonly [number, string])[] => {
    const isReadable = typeof rule === 'string' && findToolRuleProblem(rule) === undefined;
    return isReadable ? [[index, rule]] : [];
  });
}
