import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type Output, print, printJson } from '../output/output.js';
import { explainFailure } from './batch-failure.js';
import { describeReport } from './batch-summary.js';
import { publishReport } from './publish-report.js';
import { findResumeCommand } from './resume-command.js';

interface ReportFlags {
  readonly state?: string;
  readonly junit?: string;
  readonly json?: boolean;
}

export function addBatchReport(batch: Command, output: Output): void {
  batch
    .command('report')
    .description('Rebuild the reports of a batch from its ledger')
    .argument('<dir>', 'Folder that was given with --out')
    .option('--state <dir>', 'Folder that was given with --state')
    .option('--junit <file>', 'Write the results as JUnit XML')
    .option('--json', 'Print the report as one JSON object')
    .action(async (folder: string, flags: ReportFlags) => {
      process.exitCode = await explainFailure(rebuild(folder, flags, output), flags, output);
    });
}

async function rebuild(folder: string, flags: ReportFlags, output: Output): Promise<number> {
  const { rebuildReports } = await import('../../batch/run/rebuild-reports.js');
  const { report, pageFile } = await rebuildReports(resolve(folder), flags.state);
  await publishReport(report, { ...flags, githubAnnotations: false }, {}, output);
  if (flags.json === true) {
    await printJson(output.stdout, report);
    return 0;
  }
  const resumeCommand = findResumeCommand(report, folder, flags.state);
  const { paint } = output.stdout;
  const text = describeReport(report, { pageFile, resumeCommand, paint });
  await print(output.stdout, `${text}\n`);
  return 0;
}
