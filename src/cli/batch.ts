import { basename, extname, join, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { BatchOptions } from '../api/batch-options.js';
import type { ExpandedPlan } from '../api/batch-plan.js';
import type { BatchReport } from '../api/batch-report.js';
import { describeReport } from './batch-lines.js';
import { BatchView } from './batch-view.js';
import { addConfigFlags } from './config-flags.js';
import { batchExitCode, EXIT_CODES } from './exit-status.js';
import { type Output, print, printJson } from './output.js';
import { readConfig } from './read-config.js';

interface BatchFlags extends Record<string, unknown> {
  readonly out?: string;
  readonly concurrency?: number;
  readonly maxTotalTokens?: number;
  readonly maxDuration?: number;
  readonly maxFailures?: number;
  readonly maxRetries?: number;
  readonly failFast?: boolean;
  readonly resume?: boolean;
  readonly fresh?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Steps have a session and a folder each, by the plan. */
const OF_ONE_STEP = ['resume', 'sessionId', 'cwd', 'workingDir', 'repair'];

const EXAMPLES = `
Examples:
  $ gemini-cli-provider batch plan.yaml --dry-run
  $ gemini-cli-provider batch plan.yaml --out build/batch --concurrency 8
  $ gemini-cli-provider batch plan.yaml --out build/batch        # again: goes on with what is not done
  $ gemini-cli-provider batch report build/batch                 # makes the reports again from the ledger

Ctrl-C once: no new steps, those at work finish. Twice: they are cancelled. Both can be resumed.

Exit codes: 0 all steps succeeded · 2 the plan or its use is wrong · 3 login · 4 quota · 10 steps have failed
  11 stopped before the end, can be resumed · 130 interrupted`;

export function addBatchCommand(program: Command, output: Output): void {
  const command = program
    .command('batch')
    .enablePositionalOptions()
    .description('run many steps by a plan (YAML, JSON or JSONL), and go on where a run was left')
    .argument('<plan>', 'the plan')
    .option(
      '-o, --out <dir>',
      'folder for ledger and reports (default: the plan, ending in .batch)',
    )
    .option('-n, --concurrency <n>', 'steps at the same time', toNumber)
    .option('--max-total-tokens <n>', 'start no more steps once so many tokens are used', toNumber)
    .option('--max-duration <seconds>', 'start no more steps after that', toNumber)
    .option('--max-failures <n>', 'start no more steps after so many failures', toNumber)
    .option('--max-retries <n>', 'retries of all steps together', toNumber)
    .option('--fail-fast', 'start no more steps after the first failure')
    .option('--resume', 'go on with what is not done, which is the default')
    .option('--fresh', 'begin again, whatever has been done')
    .option('--dry-run', 'check the plan and show it, run nothing')
    .option('--json', 'print every event as a JSON line; with --dry-run the plan')
    .addHelpText('after', EXAMPLES);
  addConfigFlags(command, OF_ONE_STEP).action(async (file: string, flags: BatchFlags) => {
    process.exitCode = await batch(file, flags, output);
  });
  addBatchReport(command, output);
}

function addBatchReport(batch: Command, output: Output): void {
  batch
    .command('report')
    .description('make the reports of a batch again, from its ledger')
    .argument('<dir>', 'the folder that was given with --out')
    .option('--json', 'print the report as one JSON object')
    .action(async (folder: string, flags: { readonly json?: boolean }) => {
      const { rebuildReports } = await import('../batch/run/rebuild-reports.js');
      const { report, pageFile } = await rebuildReports(resolve(folder));
      if (flags.json === true) return printJson(output.stdout, report);
      const text = describeReport(report, pageFile, output.stdout.paint);
      return print(output.stdout, `${text}\n`);
    });
}

async function batch(file: string, flags: BatchFlags, output: Output): Promise<number> {
  const { readEarlierFiles } = await import('../batch/run/read-earlier-files.js');
  const { readPlan } = await import('../batch/plan/read-plan.js');
  const out = resolve(flags.out ?? `${basename(file, extname(file))}.batch`);
  const readEarlier = () => readEarlierFiles({ out, fresh: flags.fresh });
  const plan = await readPlan(file, { readEarlier });
  if (flags.dryRun === true) {
    const { describePlan } = await import('../batch/plan/describe-plan.js');
    await (flags.json === true
      ? printJson(output.stdout, hideVariables(plan))
      : print(output.stdout, `${describePlan(plan)}\n`));
    return 0;
  }
  const { report, isInterrupted } = await watch(plan, await toOptions(flags, out), flags, output);
  if (flags.json !== true) {
    const text = describeReport(report, join(out, 'report.html'), output.stdout.paint);
    await print(output.stdout, `${text}\n`);
  }
  // Asked to stop when nothing was left to be started, it has come to its end all the same.
  const isCutShort = isInterrupted && report.outcome !== 'succeeded';
  return isCutShort ? EXIT_CODES.CANCELLED : batchExitCode(report);
}

/** Values of `env` may be secrets, and what is printed ends up in logs. */
export function hideVariables(plan: ExpandedPlan): ExpandedPlan {
  const steps = plan.steps.map((step) => {
    const { env } = step.config;
    if (typeof env !== 'object' || env === null) return step;
    const hidden = Object.fromEntries(Object.keys(env).map((name) => [name, '(hidden)']));
    return { ...step, config: { ...step.config, env: hidden } };
  });
  return { ...plan, steps };
}

/** Flags of the configuration are for the steps that do not say otherwise. */
async function toOptions(flags: BatchFlags, out: string): Promise<BatchOptions> {
  const { concurrency, maxTotalTokens, maxDuration, maxFailures, maxRetries, failFast } = flags;
  // Not the session of the configuration: --resume is about the batch.
  const { fresh, resume: _, ...settings } = flags;
  const limits = { concurrency, maxTotalTokens, maxDuration, maxFailures, maxRetries, failFast };
  return { ...limits, out, fresh, config: await readConfig(settings) };
}

async function watch(
  plan: ExpandedPlan,
  options: BatchOptions,
  flags: BatchFlags,
  output: Output,
): Promise<{ readonly report: BatchReport; readonly isInterrupted: boolean }> {
  const { runBatch } = await import('../batch/run/run-batch.js');
  const run = runBatch(plan, options);
  let interrupts = 0;
  const interrupt = (): void => {
    interrupts++;
    if (interrupts === 1) run.stop();
    else if (interrupts === 2) run.cancel();
    else process.exit(EXIT_CODES.CANCELLED);
  };
  const giveUp = (): void => run.cancel();
  process.on('SIGINT', interrupt).on('SIGTERM', giveUp);
  output.broken.addEventListener('abort', giveUp);
  const view = flags.json === true ? undefined : new BatchView(output.stderr);
  try {
    for await (const event of run) {
      if (view === undefined) await printJson(output.stdout, event);
      else view.accept(event);
    }
    return { report: await run, isInterrupted: interrupts > 0 };
  } finally {
    view?.stop();
    output.broken.removeEventListener('abort', giveUp);
    process.off('SIGINT', interrupt).off('SIGTERM', giveUp);
  }
}

/** What is allowed is known to the plan, which has the same limits. */
function toNumber(value: string): number {
  if (!/^\d+(\.\d+)?$/.test(value)) throw new InvalidArgumentError('Give a number.');
  return Number(value);
}
