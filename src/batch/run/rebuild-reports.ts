import type { BatchReport } from '../../api/batch-report.js';
import { readBatch } from './read-batch.js';
import { WaitingLine } from './waiting-line.js';
import { WRITES_AT_ONCE } from './write-step-files.js';

/** Creates the reports of a batch from its ledger. The batch may be running or may have been killed. */
export async function rebuildReports(
  folder: string,
  state?: string,
): Promise<{ readonly report: BatchReport; readonly pageFile: string }> {
  const { report, folders, liveness } = await readBatch(folder, state);
  const { out } = folders;
  // A batch at work writes the files of its steps itself.
  const isAtWork = liveness.kind === 'alive';
  const waiting = new WaitingLine(WRITES_AT_ONCE);
  const begun = isAtWork ? [] : report.steps.filter(({ attempts }) => attempts.length > 0);
  await Promise.all(begun.map((step) => waiting.run(() => out.writeStep(step))));
  await out.writeReports(report);
  return { report, pageFile: out.pageFile };
}
