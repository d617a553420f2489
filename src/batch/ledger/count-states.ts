import type { StepState } from '../../api/step-report.js';

/** Counts the steps in each state. */
export function countStates(
  steps: readonly { readonly state: StepState }[],
): Record<StepState, number> {
  const counts = {
    succeeded: 0,
    failed: 0,
    skipped: 0,
    cancelled: 0,
    pending: 0,
    running: 0,
    merging: 0,
  };
  for (const { state } of steps) counts[state]++;
  return counts;
}
