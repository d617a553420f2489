import { resolve } from 'node:path';
import type { Command } from 'commander';
import { cleanName } from '../../base/text/clean-text.js';
import { type Output, print, printJson } from '../output/output.js';
import { explainFailure } from './batch-failure.js';
import { collectStatus } from './collect-status.js';
import { describeStatus } from './describe-status.js';
import { findResumeCommand } from './resume-command.js';

interface StatusFlags {
  readonly state?: string;
  readonly json?: boolean;
}

export function addBatchStatus(batch: Command, output: Output): void {
  batch
    .command('status')
    .description('Print how far a batch is, whether it runs, and what it does')
    .argument('<dir>', 'Folder that was given with --out')
    .option('--state <dir>', 'Folder that was given with --state')
    .option('--json', 'Print the status as one JSON object')
    .action(async (folder: string, flags: StatusFlags) => {
      process.exitCode = await explainFailure(show(folder, flags, output), flags, output);
    });
}

async function show(folder: string, flags: StatusFlags, output: Output): Promise<number> {
  const { readBatch } = await import('../../batch/run/read-batch.js');
  const read = await readBatch(resolve(folder), flags.state);
  const status = await collectStatus(read, Date.now());
  if (flags.json === true) {
    await printJson(output.stdout, status);
    return 0;
  }
  const errors = new Map(read.report.steps.map(({ id, error }) => [id, error]));
  const text = describeStatus(status, output.stdout.paint, Date.now(), errors);
  const { outcome } = read.report;
  const resume = findResumeCommand(read.report, folder, flags.state);
  const mayResume = resume !== undefined && outcome !== 'succeeded' && status.state !== 'silent';
  const last = mayResume ? [`Resume: ${cleanName(resume)}`] : [];
  await print(output.stdout, `${[text, ...last].join('\n')}\n`);
  return 0;
}
