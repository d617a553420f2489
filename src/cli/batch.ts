import { basename, extname, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { BatchOptions } from '../api/batch-options.js';
import type { ExpandedPlan } from '../api/batch-plan.js';
import type { BatchReport } from '../api/batch-report.js';
import { describeReport } from './batch-lines.js';
import { addBatchStop } from './batch-stop.js';
import { BatchView } from './batch-view.js';
import { addConfigFlags } from './config-flags.js';
import { batchExitCode, EXIT_CODES } from './exit-status.js';
import { type Output, print, printJson } from './output.js';
import { readConfig } from './read-config.js';
import { listenToSignals } from './signals.js';

interface BatchFlags extends Record<string, unknown> {
  readonly out?: string;
  readonly state?: string;
  readonly acceptOldLedger?: boolean;
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

/** Configuration keys that the plan sets for each step: `batch` has no flags for them. */
const KEYS_OF_ONE_STEP = ['resume', 'sessionId', 'cwd', 'workingDir', 'repair'];

const EXAMPLES = `
Examples:
  $ gemini-cli-provider batch plan.yaml --dry-run
  $ gemini-cli-provider batch plan.yaml --out build/batch --concurrency 8
  $ gemini-cli-provider batch plan.yaml --out build/batch        # resumes: runs unfinished and changed steps
  $ gemini-cli-provider batch report build/batch                 # rebuilds the reports from the ledger
  $ gemini-cli-provider batch stop build/batch                   # from another terminal

Ctrl-C once starts no new steps and lets running steps finish. Ctrl-C twice cancels running steps.
In both cases, the same command resumes the batch.

Exit codes: 0 all steps succeeded · 2 invalid plan or wrong use · 3 login refused · 4 quota used up
  10 steps failed · 11 stopped before the end, can be resumed · 130 interrupted, can be resumed
  129 terminal closed (SIGHUP), can be resumed`;

export function addBatchCommand(program: Command, output: Output): void {
  const command = program
    .command('batch')
    .enablePositionalOptions()
    .description('Run the steps of a plan (YAML, JSON or JSONL), or resume an earlier run')
    .argument('<plan>', 'File of the plan')
    .option(
      '-o, --out <dir>',
      'Folder for the reports (default: name of the plan, ending in .batch)',
    )
    .option('--state <dir>', "Folder for the ledger (default: below the user's state directory)")
    .option('-n, --concurrency <n>', 'Number of steps that run at the same time', toNumber)
    .option('--max-total-tokens <n>', 'Start no more steps after n tokens', toNumber)
    .option('--max-duration <seconds>', 'Start no more steps after this time', toNumber)
    .option('--max-failures <n>', 'Start no more steps after n failed steps', toNumber)
    .option('--max-retries <n>', 'Maximum number of retries of all steps together', toNumber)
    .option('--fail-fast', 'Start no more steps after the first failed step')
    .option('--resume', 'Run unfinished and changed steps only (default)')
    .option('--fresh', 'Run all steps again and ignore earlier results')
    .option('--accept-old-ledger', 'Import a ledger of version 0.1.0, which has no signatures')
    .option('--dry-run', 'Check and print the plan without running it')
    .option('--json', 'Print every event as a JSON line; with --dry-run, the plan as JSON')
    .addHelpText('after', EXAMPLES);
  addConfigFlags(command, KEYS_OF_ONE_STEP).action(async (file: string, flags: BatchFlags) => {
    process.exitCode = await batch(file, flags, output);
  });
  addBatchReport(command, output);
  addBatchStop(command, output);
}

function addBatchReport(batch: Command, output: Output): void {
  batch
    .command('report')
    .description('Rebuild the reports of a batch from its ledger')
    .argument('<dir>', 'Folder that was given with --out')
    .option('--state <dir>', 'Folder that was given with --state')
    .option('--json', 'Print the report as one JSON object')
    .action(async (folder: string, flags: Pick<BatchFlags, 'state' | 'json'>) => {
      const { rebuildReports } = await import('../batch/run/rebuild-reports.js');
      const { report, pageFile } = await rebuildReports(resolve(folder), flags.state);
      if (flags.json === true) return printJson(output.stdout, report);
      const text = describeReport(report, pageFile, output.stdout.paint);
      return print(output.stdout, `${text}\n`);
    });
}

async function batch(file: string, flags: BatchFlags, output: Output): Promise<number> {
  const { readEarlierFiles } = await import('../batch/run/read-earlier-files.js');
  const { readPlan } = await import('../batch/plan/read-plan.js');
  const out = resolve(flags.out ?? `${basename(file, extname(file))}.batch`);
  const readEarlier = () => readEarlierFiles({ ...flags, out });
  const plan = await readPlan(file, { readEarlier });
  if (flags.dryRun === true) {
    const { describePlan } = await import('../batch/plan/describe-plan.js');
    await (flags.json === true
      ? printJson(output.stdout, hideVariables(plan))
      : print(output.stdout, `${describePlan(plan)}\n`));
    return 0;
  }
  const { report, signalExitCode } = await watch(plan, await toOptions(flags, out), flags, output);
  if (flags.json !== true) {
    const { OutputFolder } = await import('../batch/run/output-folder.js');
    const { pageFile } = new OutputFolder(out);
    const text = describeReport(report, pageFile, output.stdout.paint);
    await print(output.stdout, `${text}\n`);
  }
  // If the signal came when no step was left to start, the batch has still succeeded.
  const code = batchExitCode(report);
  return report.outcome === 'succeeded' ? code : (signalExitCode ?? code);
}

/** Hides the values of `env`: they may be secrets, and printed plans end up in logs. Exported for its test. */
export function hideVariables(plan: ExpandedPlan): ExpandedPlan {
  const steps = plan.steps.map((step) => {
    const { env } = step.config;
    if (typeof env !== 'object' || env === null) return step;
    const hidden = Object.fromEntries(Object.keys(env).map((name) => [name, '(hidden)']));
    return { ...step, config: { ...step.config, env: hidden } };
  });
  return { ...plan, steps };
}

/** Maps the flags to options. Configuration flags apply to steps that do not set the key. */
async function toOptions(flags: BatchFlags, out: string): Promise<BatchOptions> {
  const { concurrency, maxTotalTokens, maxDuration, maxFailures, maxRetries, failFast } = flags;
  // `resume` is dropped: here it means the batch, in the configuration a session.
  const { fresh, state, acceptOldLedger, resume: _, ...settings } = flags;
  const limits = { concurrency, maxTotalTokens, maxDuration, maxFailures, maxRetries, failFast };
  return { ...limits, out, state, fresh, acceptOldLedger, config: await readConfig(settings) };
}

async function watch(
  plan: ExpandedPlan,
  options: BatchOptions,
  flags: BatchFlags,
  output: Output,
): Promise<{ readonly report: BatchReport; readonly signalExitCode: number | undefined }> {
  const { runBatch } = await import('../batch/run/run-batch.js');
  const run = runBatch(plan, options);
  const signals = listenToSignals(output, {
    onInterrupt: (count) => {
      if (count === 1) run.stop();
      else if (count === 2) run.cancel();
      else process.exit(EXIT_CODES.CANCELLED);
    },
    onEnd: () => run.cancel(),
  });
  const view = flags.json === true ? undefined : new BatchView(output.stderr);
  try {
    for await (const event of run) {
      if (view === undefined) await printJson(output.stdout, event);
      else view.accept(event);
    }
    const { interrupts, hangupExitCode } = signals;
    const interruptedCode = interrupts > 0 ? EXIT_CODES.CANCELLED : undefined;
    return { report: await run, signalExitCode: hangupExitCode ?? interruptedCode };
  } finally {
    view?.stop();
    signals.forget();
  }
}

/** Parses a number. `runBatch` checks the limits of each option. */
function toNumber(value: string): number {
  if (!/^\d+(\.\d+)?$/.test(value)) throw new InvalidArgumentError('Give a number.');
  return Number(value);
}
