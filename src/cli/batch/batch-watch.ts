import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { BatchReport } from '../../api/batch-report.js';
import { batchExitCode, EXIT_CODES } from '../exit-status.js';
import { type Output, print, printJson } from '../output/output.js';
import { listenToSignals } from '../signals.js';
import { explainFailure } from './batch-failure.js';
import { describeReport } from './batch-summary.js';
import { BatchView } from './batch-view.js';
import { nameFolders } from './collect-facts.js';
import { findResumeCommand } from './resume-command.js';

interface WatchFlags {
  readonly state?: string;
  readonly json?: boolean;
}

export function addBatchWatch(batch: Command, output: Output): void {
  batch
    .command('watch')
    .description(
      'Show a batch that runs elsewhere until it ends. Ctrl-C ends the view, not the batch',
    )
    .argument('<dir>', 'Folder that was given with --out')
    .option('--state <dir>', 'Folder that was given with --state')
    .option('--json', 'Print every event as a JSON line')
    .action(async (folder: string, flags: WatchFlags) => {
      const watching = watchBatch(resolve(folder), flags, output);
      process.exitCode = await explainFailure(watching, flags, output);
    });
}

/** Shows a batch until it ends. Returns the exit code of the batch, 130 after Ctrl-C, or 129 after the end of the terminal. */
async function watchBatch(folder: string, flags: WatchFlags, output: Output): Promise<number> {
  const { readBatch } = await import('../../batch/run/read-batch.js');
  const { followBatch } = await import('../../batch/run/follow-batch.js');
  const { folders, workingDirs } = await readBatch(folder, flags.state);
  const end = new AbortController();
  const stop = (): void => end.abort();
  const signals = listenToSignals(output, { onInterrupt: stop, onEnd: stop });
  const view =
    flags.json === true
      ? undefined
      : new BatchView(output.stderr, { folders: nameFolders(workingDirs) });
  let report: BatchReport | undefined;
  try {
    for await (const { event, atMs } of followBatch(folders, end.signal)) {
      if (event.type === 'batch-finished') report = event.report;
      if (view === undefined) await printJson(output.stdout, event);
      else view.accept(event, atMs);
    }
  } finally {
    view?.stop();
    signals.forget();
  }
  if (report === undefined) return signals.hangupExitCode ?? EXIT_CODES.CANCELLED;
  if (flags.json !== true) {
    const { pageFile } = folders.out;
    const resumeCommand = findResumeCommand(report, folder, flags.state);
    const { paint } = output.stdout;
    const text = describeReport(report, { pageFile, resumeCommand, paint });
    await print(output.stdout, `${text}\n`);
  }
  return batchExitCode(report);
}
