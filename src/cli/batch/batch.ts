import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { MergeOrderOption } from '../../api/batch-limits.js';
import type { BatchOptions } from '../../api/batch-options.js';
import { readEnvironment } from '../../base/process/environment.js';
import { addConfigFlags, toDuration } from '../config/config-flags.js';
import { type ReadConfigOptions, readConfig } from '../config/read-config.js';
import { type Output, sayOn } from '../output/output.js';
import { hideCommandLine } from '../queue/hide-credentials.js';
import { addCallerFlags, type CallerFlags, readCallerOptions } from '../queue/queue-flags.js';
import { createOtlpFlag } from '../telemetry/otlp-flag.js';
import { addBatchClean } from './batch-clean.js';
import { explainFailure } from './batch-failure.js';
import {
  adaptFlag,
  addBatchFlags,
  groupBatchHelp,
  pickLimits,
  type StepFlagValues,
  toOuterDefaults,
} from './batch-flags.js';
import {
  addBatchRemoteFlags,
  type BatchRemoteFlags,
  withoutRemoteFlags,
} from './batch-remote-flags.js';
import { addBatchReport } from './batch-report-command.js';
import { addBatchStatus } from './batch-status.js';
import { addBatchStop } from './batch-stop.js';
import { addBatchWatch } from './batch-watch.js';
import { defaultOut, readBatchPlan } from './read-batch-plan.js';
import { type RunPlanFlags, runPlan } from './run-batch-command.js';

interface BatchFlags
  extends CallerFlags,
    BatchRemoteFlags,
    RunPlanFlags,
    StepFlagValues,
    Record<string, unknown> {
  readonly out?: string;
  readonly state?: string;
  readonly acceptOldLedger?: boolean;
  readonly concurrency?: number;
  readonly maxTotalTokens?: number;
  readonly maxCost?: number;
  readonly maxDuration?: number | string;
  readonly maxFailures?: number;
  readonly maxRetries?: number;
  readonly failFast?: boolean;
  readonly mergeOrder?: MergeOrderOption;
  readonly resume?: boolean;
  readonly fresh?: boolean;
  readonly only?: readonly string[];
  readonly from?: readonly string[];
  readonly skip?: readonly string[];
  readonly retryFailed?: boolean;
  readonly preflight?: boolean;
  readonly onFinish?: string;
  readonly onFinishTimeout?: number | string;
}

/** Configuration keys whose flags `batch` does not have, or has with another meaning. */
const KEYS_OF_ONE_STEP = ['resume', 'sessionId', 'cwd', 'workingDir', 'repair'];

const EXAMPLES = `
Examples:
  $ gemini-cli-provider batch plan.yaml --dry-run
  $ gemini-cli-provider batch plan.yaml --out build/batch --concurrency 8
  $ gemini-cli-provider batch plan.yaml --out build/batch        # resumes: runs unfinished and changed steps
  $ gemini-cli-provider batch plan.yaml --out build/batch --retry-failed
  $ make-plan | gemini-cli-provider batch - --out build/batch
  $ gemini-cli-provider batch plan.yaml --only "convert[src/a.js]" --only docs
  $ gemini-cli-provider batch plan.yaml --queue redis://store:6379 --labels linux   # on workers of a queue
  $ gemini-cli-provider batch plan.yaml --public-url https://desk.example.ts.net    # permissions on a phone
  $ gemini-cli-provider batch status build/batch                 # from another terminal
  $ gemini-cli-provider batch watch build/batch
  $ gemini-cli-provider batch report build/batch                 # rebuilds the reports from the ledger
  $ gemini-cli-provider batch stop build/batch                   # from another terminal
  $ gemini-cli-provider batch clean build/batch --dry-run        # what would be removed

Ctrl-C once starts no new steps and lets running steps finish. Ctrl-C twice cancels running steps.
In both cases, the same command resumes the batch. With --queue, cancelled steps also end on their workers.

Exit codes: 0 all steps succeeded · 2 invalid plan or wrong use · 3 login, trust, CLI or sandbox missing
  4 quota used up · 10 steps failed · 11 stopped before the end, can be resumed · 130 interrupted, can be resumed
  129 terminal closed (SIGHUP), can be resumed`;

export function addBatchCommand(program: Command, output: Output): void {
  const command = program
    .command('batch')
    .enablePositionalOptions()
    .description('Run the steps of a plan (YAML, JSON or JSONL), or resume an earlier run')
    .argument('<plan>', 'File of the plan; "-" reads it from stdin')
    .option(
      '-o, --out <dir>',
      'Folder for the reports (default: name of the plan, ending in .batch)',
    )
    .option('--state <dir>', "Folder for the ledger (default: below the user's state directory)")
    .option('-n, --concurrency <n>', 'Number of steps that run at the same time', toNumber)
    .option('--max-total-tokens <n>', 'Start no more steps after n tokens', toNumber)
    .option(
      '--max-duration <time>',
      'Start no more steps after this time: seconds, or 90s, 5m, 1h30m',
      toDuration,
    )
    .option('--max-failures <n>', 'Start no more steps after n failed steps', toNumber)
    .option('--max-retries <n>', 'Maximum number of retries of all steps together', toNumber)
    .option('--fail-fast', 'Start no more steps after the first failed step')
    .option('--merge-order <order>', 'Merge isolated steps as they finish (default) or by plan')
    .option('--resume', 'Run unfinished and changed steps only (default)')
    .addOption(
      new Option('--fresh', 'Run all steps again and ignore earlier results').conflicts('resume'),
    )
    .option('--accept-old-ledger', 'Import a ledger of version 0.1.0, which has no signatures')
    .option('--dry-run', 'Print what a run would do with each step, and why; run and write nothing')
    .option('--junit <file>', 'Write the results as JUnit XML')
    .option('--github-annotations', 'Print annotations of GitHub Actions (default there)')
    .option('--no-github-annotations', 'Print no annotations')
    .option('--on-finish <command>', 'Run a command after the reports are written; no shell')
    .option('--on-finish-timeout <time>', 'Time for that command (default: 60s)', toDuration)
    .option('--json', 'Print every event as a JSON line; with --dry-run, one JSON object')
    .addOption(createOtlpFlag())
    .usage('[options] <plan>')
    .addHelpText('after', EXAMPLES);
  addBatchFlags(command);
  addBatchRemoteFlags(command);
  addCallerFlags(addConfigFlags(command, KEYS_OF_ONE_STEP, adaptFlag)).action(
    async (file: string, flags: BatchFlags) => {
      process.exitCode = await explainFailure(batch(file, flags, output), flags, output);
    },
  );
  groupBatchHelp(command);
  addBatchStatus(command, output);
  addBatchWatch(command, output);
  addBatchReport(command, output);
  addBatchStop(command, output);
  addBatchClean(command, output);
}

async function batch(file: string, flags: BatchFlags, output: Output): Promise<number> {
  await hideCommandLine(process.argv.slice(2), output);
  const queue = readCallerOptions(flags, readEnvironment());
  const { readEarlierFiles } = await import('../../batch/run/read-earlier-files.js');
  const out = resolve(flags.out ?? defaultOut(file));
  const readEarlier = () => readEarlierFiles({ ...flags, out });
  const say = sayOn(output.stderr);
  const planOptions = { readEarlier, outerDefaults: toOuterDefaults(flags) };
  const plan = await readBatchPlan(file, planOptions, say);
  const options = await toOptions(flags, out, { say });
  if (queue === undefined && flags.remote === true && flags.dryRun !== true) {
    const { runWithRemote } = await import('../remote/run-with-remote.js');
    return runWithRemote(plan.name, options, flags, output, (asking, onEvent) =>
      runPlan(plan, asking, flags, output, onEvent),
    );
  }
  if (queue === undefined) return runPlan(plan, options, flags, output);
  const { QueuedSteps } = await import('../queue/queued-steps.js');
  await using provider = new QueuedSteps(queue, options.config ?? {}, say);
  // Without a number, the batch keeps all workers busy that are there when it starts.
  const isGiven = (options.concurrency ?? plan.limits.concurrency) !== undefined || flags.dryRun;
  const concurrency = isGiven ? options.concurrency : Math.max(4, await provider.countSlots());
  // Without `await`, the provider would be closed before the first step.
  const preflight = flags.preflight !== false && 'provider';
  return await runPlan(plan, { ...options, provider, preflight, concurrency }, flags, output);
}

/** Maps the flags to options. Configuration flags apply to steps that do not set the key. */
async function toOptions(
  flags: BatchFlags,
  out: string,
  reading: ReadConfigOptions,
): Promise<BatchOptions> {
  // `resume` is dropped: here it means the batch, in the configuration a session.
  const { fresh, state, acceptOldLedger, resume: _, ...others } = flags;
  const { only, from, skip, retryFailed, preflight, onFinish, onFinishTimeout, ...rest } = others;
  // These flags are settings of steps, which the plan has already taken.
  const {
    cwd: _cwd,
    repair: _repair,
    maxCost: _maxCost,
    isolation: _isolation,
    retries: _retries,
    ...settings
  } = withoutRemoteFlags(rest);
  const selection = { only, from, skip, retryFailed, preflight };
  const finish = { onFinish, onFinishTimeout };
  const config = await readConfig(settings, reading);
  return {
    ...pickLimits(flags),
    ...selection,
    ...finish,
    out,
    state,
    fresh,
    acceptOldLedger,
    config,
  };
}

/** Parses a number. `runBatch` checks the limits of each option. */
function toNumber(value: string): number {
  if (!/^\d+(\.\d+)?$/.test(value)) throw new InvalidArgumentError('Give a number.');
  return Number(value);
}
