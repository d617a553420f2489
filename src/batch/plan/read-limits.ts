import type { BatchLimits } from '../../api/batch-plan.js';
import { invalidConfig, toProblem } from '../../config/config-problem.js';
import { limitsSchema } from './plan-schema.js';

/** Steps at the same time, where nobody says how many. */
export const DEFAULT_CONCURRENCY = 4;

/** The limits among the options of a batch, by the rules of a plan. Throws INVALID_CONFIG with all that is wrong. */
export function readLimits(options: BatchLimits): BatchLimits {
  const parsed = limitsSchema.safeParse(options);
  if (!parsed.success) {
    throw invalidConfig(
      parsed.error.issues.map(({ path, message }) => {
        const value: unknown = Reflect.get(options, path[0] ?? '');
        return toProblem(path, value, message);
      }),
    );
  }
  const given = Object.entries(parsed.data).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}
