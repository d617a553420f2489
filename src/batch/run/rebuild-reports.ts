import type { BatchReport } from '../../api/batch-report.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { memoryLedger } from '../ledger/ledger-file.js';
import { readLedger } from '../ledger/read-ledger.js';
import { BatchState } from './batch-state.js';
import { OutputFolder } from './output-folder.js';

/** Creates the reports of a batch from its ledger. The batch may be running or may have been killed. */
export async function rebuildReports(
  folder: string,
): Promise<{ readonly report: BatchReport; readonly pageFile: string }> {
  const out = new OutputFolder(folder);
  const { entries, tornLines } = await readLedger(out.ledgerFile);
  if (entries.length === 0) {
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: `No ledger of a batch in ${folder}`,
      hint: 'Pass the folder that the batch got with --out.',
    });
  }
  const report = new BatchState(memoryLedger, entries, tornLines).report();
  for (const step of report.steps) if (step.attempts.length > 0) await out.writeStep(step);
  await out.writeReports(report);
  return { report, pageFile: out.pageFile };
}
