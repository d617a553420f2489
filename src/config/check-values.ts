import type { z } from 'zod';
import type { ConfigProblem } from '../api/error.js';
import { valueAt } from '../base/json/value-at.js';
import { toProblem } from './config-problem.js';
import { describeIssue } from './describe-issue.js';

/** Result of a check: the parsed values, or every problem. */
export type CheckedValues<Output> =
  | { readonly data: Output; readonly problems: readonly [] }
  | { readonly data?: undefined; readonly problems: readonly ConfigProblem[] };

/** Parses values and describes each problem in the words of this package. `at` is the path of the values themselves. */
export function checkValues<Schema extends z.ZodType>(
  schema: Schema,
  values: unknown,
  at: readonly PropertyKey[] = [],
): CheckedValues<z.output<Schema>> {
  const parsed = schema.safeParse(values, { error: describeIssue });
  if (parsed.success) return { data: parsed.data, problems: [] };
  const problems = parsed.error.issues.flatMap(flattenUnion).map(({ path, message }) => {
    return toProblem([...at, ...path], valueAt(values, path), message);
  });
  return { problems };
}

interface FoundIssue {
  readonly code: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/**
 * Replaces the issue of a union by the issues of the member that was meant: the one member that does not already refuse
 * the type of the value, or the member with the fewest issues. If there is none, the message of the union says more.
 */
function flattenUnion(issue: z.core.$ZodIssue): readonly FoundIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const members = issue.errors
    .map((issues) => issues.flatMap(flattenUnion))
    .filter((issues) => issues.length > 0 && !issues.some(isAboutType))
    .sort((one, other) => one.length - other.length);
  const [meant, next] = members;
  if (meant === undefined || meant.length === next?.length) return [issue];
  return meant.map(({ code, path, message }) => ({
    code,
    message,
    path: [...issue.path, ...path],
  }));
}

/** True if the issue refuses the value as a whole, so that another member of the union was meant. */
function isAboutType({ code, path }: FoundIssue): boolean {
  return path.length === 0 && code !== 'unrecognized_keys';
}
