import { resolve } from 'node:path';
import type { Command } from 'commander';
import { rebuildReports } from '../batch/run/rebuild-reports.js';
import { describeReport } from './batch-lines.js';
import { type Output, print, printJson } from './output.js';

export function addBatchReport(batch: Command, output: Output): void {
  batch
    .command('report')
    .description('make the reports of a batch again, from its ledger')
    .argument('<dir>', 'the folder that was given with --out')
    .option('--json', 'print the report as one JSON object')
    .action(async (folder: string, flags: { readonly json?: boolean }) => {
      const { report, pageFile } = await rebuildReports(resolve(folder));
      if (flags.json === true) return printJson(output.stdout, report);
      const text = describeReport(report, pageFile, output.stdout.paint);
      return print(output.stdout, `${text}\n`);
    });
}
