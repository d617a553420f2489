import type { StepReport } from '../../../../api/step-report.js';

/** Distribution of a time over the steps that ran. */
export interface TimeSpread {
  readonly medianMs: number;
  /** Time that 95 of 100 steps do not exceed. */
  readonly p95Ms: number;
  readonly longestMs: number;
}

/** Metrics of the steps that ran, over all their attempts. */
export interface StepMetrics {
  readonly work: TimeSpread;
  /** Wait for a worker, a slot or a merge. Undefined if no step waited. */
  readonly wait: TimeSpread | undefined;
  readonly tokensPerStep: number;
}

/** Measures the steps that ran. Undefined if none did. */
export function measureSteps(
  steps: readonly Pick<StepReport, 'attempts' | 'durationMs' | 'waitMs' | 'usage'>[],
): StepMetrics | undefined {
  const ran = steps.filter(({ attempts }) => attempts.length > 0);
  if (ran.length === 0) return undefined;
  const waits = ran.map(({ waitMs }) => waitMs);
  const tokens = ran.reduce((sum, { usage }) => sum + (usage?.total ?? 0), 0);
  return {
    work: spreadOf(ran.map(({ durationMs }) => durationMs)),
    wait: waits.some((ms) => ms > 0) ? spreadOf(waits) : undefined,
    tokensPerStep: Math.round(tokens / ran.length),
  };
}

function spreadOf(times: readonly number[]): TimeSpread {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
  return { medianMs: at(0.5), p95Ms: at(0.95), longestMs: at(1) };
}
