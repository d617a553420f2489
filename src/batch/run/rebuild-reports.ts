import type { BatchReport } from '../../api/batch-report.js';
import { readBatch } from './read-batch.js';

/** Creates the reports of a batch from its ledger. The batch may be running or may have been killed. */
export async function rebuildReports(
  folder: string,
  state?: string,
): Promise<{ readonly report: BatchReport; readonly pageFile: string }> {
  const { report, folders, liveness } = await readBatch(folder, state);
  const { out } = folders;
  // A batch at work writes the files of its steps itself.
  const isAtWork = liveness.kind === 'alive';
  for (const step of isAtWork ? [] : report.steps) {
    if (step.attempts.length > 0) await out.writeStep(step);
  }
  await out.writeReports(report);
  return { report, pageFile: out.pageFile };
}
