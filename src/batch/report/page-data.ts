import type { BatchReport } from '../../api/batch-report.js';
import type { ProviderErrorData } from '../../api/error.js';
import type { StepReport } from '../../api/step-report.js';

/**
 * Returns the report as JSON for a script element. `<` is escaped, so that no text can close the element or open
 * a comment.
 */
export function serializeReport(report: BatchReport): string {
  const shown: BatchReport = { ...report, steps: report.steps.map(withoutRepetition) };
  return JSON.stringify(shown)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

/** Removes text and files from the error if the step has its own: the page shows them once. */
function withoutRepetition(step: StepReport): StepReport {
  const partial = step.error?.partial;
  if (step.error === undefined || partial === undefined) return step;
  const error: ProviderErrorData = {
    ...step.error,
    partial: {
      ...partial,
      text: step.text === undefined ? partial.text : '',
      files: step.files.length === 0 ? partial.files : [],
    },
  };
  return { ...step, error };
}
