import type { BatchReport } from '../../api/batch-report.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { memoryLedger } from '../ledger/ledger-file.js';
import { readLedger } from '../ledger/read-ledger.js';
import { BatchState } from './batch-state.js';
import { OutputFolder } from './output-folder.js';

/** Makes the reports of a batch from its ledger, also of one that is still at work or has died. */
export async function rebuildReports(
  folder: string,
): Promise<{ readonly report: BatchReport; readonly pageFile: string }> {
  const out = new OutputFolder(folder);
  const { entries, tornLines } = await readLedger(out.ledgerFile);
  if (entries.length === 0) {
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: `There is no ledger of a batch in ${folder}`,
      hint: 'Give the folder that the batch was given with --out.',
    });
  }
  const report = new BatchState(memoryLedger, entries, tornLines).report();
  for (const step of report.steps) if (step.attempts.length > 0) await out.writeStep(step);
  await out.writeReports(report);
  return { report, pageFile: out.pageFile };
}
