import type { StepReport, StepState } from '../../api/step-report.js';

const RANKS: Readonly<Record<StepState, number>> = {
  failed: 0,
  running: 1,
  merging: 2,
  cancelled: 3,
  pending: 4,
  succeeded: 5,
  skipped: 6,
};

/** Sorts steps by how much their details matter: failed steps first, then steps at work, then the slowest. */
export function rankSteps(steps: readonly StepReport[]): readonly StepReport[] {
  return steps.toSorted((one, other) => {
    return RANKS[one.state] - RANKS[other.state] || other.durationMs - one.durationMs;
  });
}
