import type { BatchLimits } from '../../api/batch-limits.js';
import { limitsSchema } from './plan-schema.js';

/** Returns the time that a batch with these limits has for anything before its first step; undefined without a limit. */
export function answerLimitMs({ maxDuration }: BatchLimits): number | undefined {
  const seconds = limitsSchema.safeParse({ maxDuration }).data?.maxDuration;
  return seconds === undefined ? undefined : seconds * 1000;
}
