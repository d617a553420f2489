import { type Command, InvalidArgumentError, type Option } from 'commander';
import { readEnvironment } from '../../base/process/environment.js';
import { NAME_FORM, NAME_PROBLEM } from '../../queue/protocol/labels.js';
import { explainFailure } from '../batch/batch-failure.js';
import { addConfigFlags, toDuration } from '../config/config-flags.js';
import { readConfig } from '../config/read-config.js';
import { type Output, sayOn } from '../output/output.js';
import { hideCommandLine } from '../queue/hide-credentials.js';
import { addConnectionFlags, readConnection, toLabels } from '../queue/queue-flags.js';
import { createOtlpFlag } from '../telemetry/otlp-flag.js';
import { addShippingFlags } from './shipping-flags.js';
import type { WorkerFlags } from './work-on-queue.js';
import { toHealthAddress } from './worker-health.js';

const MOST_STEPS = 1_000;
/** Configuration keys that belong to a step, not to a worker. */
const KEYS_OF_A_STEP = [
  'resume',
  'sessionId',
  'cwd',
  'workingDir',
  'repair',
  'systemPrompt',
  'systemPromptFile',
  'systemPromptMode',
];

/** What flags of a step mean for a worker, by their keys. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['transport', 'How the CLI is driven: headless or acp (default: acp, on warm processes)'],
  ['trustWorkspace', 'Trust the folders of all steps'],
  [
    'approvalMode',
    'Approval mode of steps, and the highest that a step may ask for: default, auto_edit, yolo or plan (default: auto_edit)',
  ],
]);

function adaptFlag(flag: Option): Option {
  const description = flag.negate ? undefined : WORDS.get(flag.attributeName());
  if (description === undefined) return flag;
  const copy: Option = Object.create(Object.getPrototypeOf(flag));
  return Object.assign(copy, flag, { description });
}

const toConcurrency = (value: string): number => {
  if (!/^[1-9]\d{0,3}$/.test(value) || Number(value) > MOST_STEPS)
    throw new InvalidArgumentError(`Give a whole number from 1 to ${MOST_STEPS}.`);
  return Number(value);
};

const toName = (value: string): string => {
  if (NAME_FORM.test(value)) return value;
  throw new InvalidArgumentError(`A name ${NAME_PROBLEM}.`);
};

const EXAMPLES = `
Examples:
  $ export GEMINI_CLI_PROVIDER_QUEUE=postgres://user@store/steps PGPASSWORD=…
  $ gemini-cli-provider worker --concurrency 4 --trust-workspace
  $ gemini-cli-provider worker --name gpu-1 --labels gpu,linux --health 9090
  $ gemini-cli-provider worker --approval-mode yolo --allowed-tools "run_shell_command(npm test)"

The flags of the configuration are the ceiling for what steps may do on this machine: a step that asks for a higher approval
mode or for other tools fails with INVALID_CONFIG.
SIGTERM, SIGHUP and Ctrl-C drain the worker: it takes no more steps, and finishes those that it has within --drain-limit; others go
back to the queue. A second Ctrl-C hands them back at once, a third one exits.

Exit codes: 0 drained · 2 wrong use or configuration · 3 CLI or login is missing · 5 store not reachable
  11 drained, steps went back to the queue · 129 terminal closed (SIGHUP) · 130 Ctrl-C twice · 1 other`;

export function addWorkerCommand(program: Command, output: Output): void {
  const command = program
    .command('worker')
    .description('Run steps of a queue on this machine until it is told to end');
  addConnectionFlags(command)
    .option('-n, --concurrency <n>', 'Steps that run at the same time (default: 1)', toConcurrency)
    .option('--name <name>', 'Name of the worker in reports (default: host and process)', toName)
    .option('--labels <a,b>', 'Labels of this worker, which steps may ask for', toLabels)
    .option('--no-commands', 'Refuse steps that bring commands of their own (expects, setup)')
    .option('--health <[host:]port>', 'Serve /live, /ready and /metrics there', toHealthAddress)
    .option('--drain-limit <time>', 'Longest time to finish steps (default: 10m)', toDuration)
    .option(
      '--lock-time <time>',
      'Time until a silent worker loses its steps (default: 15s)',
      toDuration,
    )
    .option(
      '--check-time <time>',
      'Time between two searches for such steps (default: 5s)',
      toDuration,
    )
    .option('--no-preflight', 'Do not check the CLI before the first step')
    .option('--json', 'Print every event of the worker as a JSON line')
    .addOption(createOtlpFlag())
    .addHelpText('after', EXAMPLES);
  addConfigFlags(addShippingFlags(command), KEYS_OF_A_STEP, adaptFlag).action(
    async (flags: WorkerFlags) => {
      process.exitCode = await explainFailure(start(flags, output), flags, output);
    },
  );
}

async function start(flags: WorkerFlags, output: Output): Promise<number> {
  await hideCommandLine(process.argv.slice(2), output);
  const connection = readConnection(flags, readEnvironment());
  const config = await readConfig(flags, { say: sayOn(output.stderr) });
  const { workOnQueue } = await import('./work-on-queue.js');
  return workOnQueue({ connection, config, flags, output });
}
