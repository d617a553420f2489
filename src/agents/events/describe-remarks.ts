import type { StepWarning } from '../../api/result.js';
import type { StatusRemark } from './turn-fold.js';

/** Turns the agent's own remarks into warnings for the caller. */
export function describeRemarks(remarks: readonly StatusRemark[]): StepWarning[] {
  const warnings: StepWarning[] = [];
  const retries = remarks.filter(({ status }) => status === 'retrying');
  const [firstRetry] = retries;
  if (firstRetry !== undefined) {
    warnings.push({
      code: 'CLI_RETRIED',
      count: retries.length,
      message: `Retries by the CLI: ${retries.length}; the first: ${firstRetry.message}`,
    });
  }
  for (const { status, message } of remarks) {
    if (status === 'warning') warnings.push({ code: 'CLI_WARNING', message });
  }
  return warnings;
}

/** Warns about processes that outlived the agent and were killed. */
export function describeProcessesLeft(count: number): StepWarning[] {
  if (count === 0) return [];
  const message = `Processes that the agent left running and that were killed: ${count}.`;
  return [{ code: 'PROCESSES_LEFT', message, count }];
}
