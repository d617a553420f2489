import type { PlannedStep } from '../../api/batch-plan.js';
import type { ProviderError } from '../../base/errors/provider-error.js';
import { unlessAborted } from '../../base/process/timing.js';
import type { BatchState } from './batch-state.js';
import {
  checkGroups,
  combineCauses,
  conditionsOf,
  type PreflightRequest,
  toCauses,
} from './preflight.js';

/**
 * Creates a function to call before each attempt. The first call checks all steps that have no result, and the step
 * itself: a doomed batch ends before its first attempt. Later calls check only steps in conditions that are new.
 */
export function createStartCheck(
  steps: readonly PlannedStep[],
  state: BatchState,
  request: PreflightRequest,
): (step: PlannedStep, signal: AbortSignal) => Promise<void> {
  const results = new Map<string, Promise<ProviderError | undefined>>();
  let isStopped = false;
  const check = (checked: readonly PlannedStep[]): Promise<ProviderError | undefined> => {
    const result = checkGroups(checked, request).then((groups) => combineCauses(toCauses(groups)));
    for (const step of checked) results.set(conditionsOf(step), result);
    return result;
  };
  return async (step, signal) => {
    const known = results.get(conditionsOf(step));
    const isFirst = results.size === 0;
    const open = isFirst ? steps.filter((one) => one !== step && isOpen(one, state)) : [];
    const checked = known ?? check([step, ...open]);
    const error = await unlessAborted(checked, signal).catch((problem: unknown) => {
      if (!signal.aborted) throw problem;
    });
    // A cancelled attempt ends before its agent is started, and needs no check.
    if (error === undefined || signal.aborted) return;
    if (!isStopped) {
      isStopped = true;
      const message = `${error.message.replace(/\.$/, '')}. ${error.hint}`;
      await state.write({ type: 'stop', stop: { reason: 'preflight', message } });
      await state.write({ type: 'end' });
    }
    throw error;
  };
}

function isOpen({ id }: PlannedStep, state: BatchState): boolean {
  return state.stepState(id).done === undefined;
}
