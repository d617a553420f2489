import type { BatchReport } from '../../api/batch-report.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { describeDamage } from '../ledger/describe-damage.js';
import { memoryLedger } from '../ledger/ledger-file.js';
import { ledgerProblem } from '../ledger/ledger-problem.js';
import { locateState } from '../state/state-folder.js';
import { BatchFolders } from './batch-folders.js';
import { BatchState } from './batch-state.js';
import { findLedger } from './find-ledger.js';

/** Creates the reports of a batch from its ledger. The batch may be running or may have been killed. */
export async function rebuildReports(
  folder: string,
  state?: string,
): Promise<{ readonly report: BatchReport; readonly pageFile: string }> {
  const folders = new BatchFolders(folder, locateState(folder, state));
  const { out, ledgerFile } = folders;
  const { kind, read } = await findLedger(folders, {}).catch((error: unknown) => {
    throw ledgerProblem(ledgerFile, error);
  });
  if (kind !== 'resume') {
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: `No ledger of a batch in ${folder}`,
      hint: 'Pass the folder that the batch got with --out, and the same --state as the batch.',
    });
  }
  if (!read.entries.some(({ type }) => type === 'plan')) {
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: `The ledger ${ledgerFile} is damaged: its lines about the plan are lost`,
      hint: 'Run the batch again: it repeats only steps whose results are lost, and writes the reports.',
    });
  }
  const report = new BatchState(memoryLedger, read.entries, describeDamage(read)).report();
  for (const step of report.steps) if (step.attempts.length > 0) await out.writeStep(step);
  await out.writeReports(report);
  return { report, pageFile: out.pageFile };
}
