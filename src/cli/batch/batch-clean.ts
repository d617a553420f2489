import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { ProviderError } from '../../base/errors/provider-error.js';
import { cleanName } from '../../base/text/clean-text.js';
import { countOf } from '../../base/text/count-of.js';
import { parseDuration } from '../../base/text/parse-duration.js';
import type { CleanReport } from '../../batch/clean/clean-report.js';
import { formatSize } from '../output/format-numbers.js';
import { type Output, type Paint, print, printJson } from '../output/output.js';
import { explainFailure } from './batch-failure.js';

interface CleanFlags {
  readonly state?: string;
  readonly all?: boolean;
  /** Seconds. */
  readonly olderThan?: number;
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const EXAMPLES = `
Examples:
  $ gemini-cli-provider batch clean build/batch --dry-run
  $ gemini-cli-provider batch clean build/batch --all
  $ gemini-cli-provider batch clean --older-than 30d

The next batch with the same output folder starts from the beginning. A batch that runs is never cleaned.`;

export function addBatchClean(batch: Command, output: Output): void {
  batch
    .command('clean')
    .description('Remove the state of a batch that has ended, and what killed runs have left')
    .argument('[dir]', 'Folder that was given with --out')
    .option('--state <dir>', 'Folder that was given with --state')
    .addOption(
      new Option(
        '--older-than <time>',
        'Clean all batches that were last used before this time (30d, 12h) or whose folder was removed',
      ).argParser(toSeconds),
    )
    .addOption(
      new Option('--all', 'Remove results, kept patches and reports, too').conflicts('olderThan'),
    )
    .option('--force', 'Remove also finished work that is not merged yet')
    .option('--dry-run', 'Print what would be removed; remove nothing')
    .option('--json', 'Print the result as one JSON object')
    .usage('[options] <dir>\n       gemini-cli-provider batch clean [options] --older-than <time>')
    .addHelpText('after', EXAMPLES)
    .action(async (folder: string | undefined, flags: CleanFlags) => {
      process.exitCode = await explainFailure(clean(folder, flags, output), flags, output);
    });
}

async function clean(
  folder: string | undefined,
  flags: CleanFlags,
  output: Output,
): Promise<number> {
  const report = await remove(folder, flags, (message) => {
    void print(output.stderr, `${message}\n`);
  });
  if (flags.json === true) {
    const bytes = sumOf(report);
    await printJson(output.stdout, { dryRun: flags.dryRun === true, bytes, ...report });
  } else {
    const text = describeClean(report, flags.dryRun === true, output.stdout.paint);
    await print(output.stdout, `${text}\n`);
  }
  return 0;
}

async function remove(
  folder: string | undefined,
  flags: CleanFlags,
  onWait: (message: string) => void,
): Promise<CleanReport> {
  const { state, all, olderThan, force, dryRun } = flags;
  if ((folder === undefined) === (olderThan === undefined)) {
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message:
        folder === undefined
          ? 'Neither a folder nor --older-than is given'
          : 'A folder and --older-than exclude each other',
      hint: 'Give the folder of one batch, or --older-than for all batches. Nothing was removed.',
    });
  }
  if (folder !== undefined) {
    const { cleanBatch } = await import('../../batch/clean/clean-batch.js');
    return cleanBatch({ out: resolve(folder), state, all, force, dryRun, onWait });
  }
  const { cleanStates } = await import('../../batch/clean/clean-states.js');
  const olderThanMs = (olderThan ?? 0) * 1_000;
  return cleanStates({ state, olderThanMs, force, dryRun, onWait });
}

/** Describes a clean-up: every item with its size, what was left and why, and the sum. */
export function describeClean(report: CleanReport, dryRun: boolean, paint: Paint): string {
  const { removed, kept, notes } = report;
  const sizes = removed.map(({ bytes }) => formatSize(bytes));
  const width = Math.max(0, ...sizes.map(({ length }) => length));
  const verb = dryRun ? 'Would remove' : 'Removed';
  return [
    ...removed.map(({ path, what }, index) => {
      const size = (sizes[index] ?? '').padStart(width);
      return `${paint.green(dryRun ? '→' : '✓')} ${size}  ${cleanName(path)} ${paint.dim(`(${what})`)}`;
    }),
    ...notes.map((note) => `${paint.yellow('!')} ${cleanName(note)}`),
    ...kept.map(({ path, reason }) => {
      return `${paint.yellow('!')} Kept ${cleanName(path)}: ${cleanName(reason)}`;
    }),
    removed.length === 0
      ? 'There is nothing to remove.'
      : `${verb} ${countOf(removed.length, 'item')}, ${formatSize(sumOf(report))}.`,
  ].join('\n');
}

function sumOf({ removed }: CleanReport): number {
  return removed.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Parses an age. A number without a unit is refused: 30 seconds are hardly meant by 30. */
function toSeconds(value: string): number {
  const seconds = /[a-z]$/.test(value.trim()) ? parseDuration(value) : undefined;
  if (seconds === undefined) throw new InvalidArgumentError('Give a time such as 30d or 12h.');
  return seconds;
}
