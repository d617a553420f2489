import type { StepWarning } from '../../api/result.js';
import type { StatusRemark } from './turn-fold.js';

/** The agent's own remarks that the caller should know of. */
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

/** Says how many processes outlived the agent's work and were ended by us. */
export function describeProcessesLeft(count: number): StepWarning[] {
  if (count === 0) return [];
  const message = `Processes that the run had left behind, and that were ended: ${count}.`;
  return [{ code: 'PROCESSES_LEFT', message, count }];
}
