import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { BatchLimits } from '../../api/batch-limits.js';
import type { StepSettings } from '../../api/batch-plan.js';
import type { OuterDefaults } from '../../batch/plan/expand-plan.js';
import { CALLER_FLAG_NAMES } from '../queue/queue-flags.js';
import { BATCH_REMOTE_NAMES } from './batch-remote-flags.js';

const collect = (value: string, all: string[] | undefined): string[] => [...(all ?? []), value];

const toCount = (value: string): number => {
  if (!/^\d+$/.test(value)) throw new InvalidArgumentError('Give a whole number.');
  return Number(value);
};

const PATTERN = 'a step id, a matrix id or a glob over ids (repeatable)';

/** Flags that choose a part of the plan, and flags about the check before the first step. */
export const SELECTION_FLAGS: readonly Option[] = [
  new Option(
    '--only <pattern>',
    `Run these steps, and what they need and has no result: ${PATTERN}`,
  ).argParser(collect),
  new Option(
    '--from <pattern>',
    'Run these steps and all steps that need them (repeatable)',
  ).argParser(collect),
  new Option(
    '--skip <pattern>',
    'Leave out these steps, and steps that need one of them without a result (repeatable)',
  ).argParser(collect),
  new Option(
    '--retry-failed',
    'Run only steps that failed, were cancelled or interrupted, and steps skipped because of them',
  ).conflicts('fresh'),
  new Option(
    '--no-preflight',
    'Do not check CLI, login, trust, git and sandbox before the first step',
  ),
  new Option('--verbose', 'With --dry-run: print every step with its prompt and settings'),
];

/** Flags for settings of steps that neither the step nor `defaults` of the plan sets. */
export const STEP_FLAGS: readonly Option[] = [
  new Option('-C, --cwd <dir>', 'Working directory of the steps (default: the folder of the plan)'),
  new Option('--isolation <kind>', 'Folder in which a step works (default: shared)').choices([
    'shared',
    'worktree',
    'copy',
  ]),
  new Option('--retries <n>', 'Further attempts after a retryable failure (default: 2)').argParser(
    toCount,
  ),
  new Option(
    '--repair <n>',
    'Further turns to repair what `expects` finds missing (default: 0)',
  ).argParser(toCount),
];

export interface StepFlagValues {
  readonly cwd?: string;
  readonly isolation?: StepSettings['isolation'];
  readonly retries?: number;
  readonly repair?: number;
}

export function toOuterDefaults({
  cwd,
  isolation,
  retries,
  repair,
}: StepFlagValues): OuterDefaults {
  return {
    isolation,
    retries,
    repair,
    ...(cwd === undefined ? {} : { workingDir: resolve(cwd) }),
  };
}

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'Which steps run:': ['only', 'from', 'skip', 'retryFailed', 'resume', 'fresh'],
  'Limits and order:': [
    'concurrency',
    'maxTotalTokens',
    'maxCost',
    'maxDuration',
    'maxFailures',
    'maxRetries',
    'failFast',
    'mergeOrder',
  ],
  'Folders and output:': [
    'out',
    'state',
    'acceptOldLedger',
    'dryRun',
    'verbose',
    'json',
    'preflight',
    'junit',
    'githubAnnotations',
    'onFinish',
    'onFinishTimeout',
    'otlp',
  ],
};
/** Picks the limits of the batch from its flags. */
export function pickLimits(flags: BatchLimits): BatchLimits {
  const { concurrency, maxTotalTokens, maxCost, maxDuration, maxFailures, maxRetries } = flags;
  const { failFast, mergeOrder } = flags;
  const spent = { maxTotalTokens, maxCost, maxDuration };
  return { concurrency, ...spent, maxFailures, maxRetries, failFast, mergeOrder };
}

const QUEUE_GROUP = 'Queue:';
const REMOTE_GROUP = 'Remote control:';
const GROUP_OF_STEPS = 'Settings of steps that the plan does not set:';

/** Adds the flags of a batch that concern its steps. */
export function addBatchFlags(command: Command): Command {
  for (const flag of [...SELECTION_FLAGS, ...STEP_FLAGS]) command.addOption(flag);
  return command;
}

/** Sorts the flags of the help into groups, and corrects what a batch does differently from a single step. */
export function groupBatchHelp(command: Command): void {
  const groupOf = new Map(
    Object.entries({
      ...GROUPS,
      [QUEUE_GROUP]: CALLER_FLAG_NAMES,
      [REMOTE_GROUP]: BATCH_REMOTE_NAMES,
    }).flatMap(([group, names]) => names.map((name) => [name, group] as const)),
  );
  for (const flag of command.options) {
    flag.helpGroup(groupOf.get(flag.attributeName()) ?? GROUP_OF_STEPS);
  }
}

/** Copies a flag for a batch: `run` and `doctor` have the same flag with other words. */
export function adaptFlag(flag: Option): Option {
  const copy: Option = Object.assign(Object.create(Object.getPrototypeOf(flag)), flag);
  if (flag.attributeName() === 'transport') {
    copy.description = 'How the CLI is driven: headless or acp (default: acp, on warm processes)';
  }
  if (flag.attributeName() === 'trustWorkspace' && !flag.negate) {
    copy.description = 'Trust the working directories for this batch';
  }
  if (flag.attributeName() === 'maxCost') {
    copy.description =
      'Start no more steps once the batch has cost this much by list price, in US dollars';
  }
  return copy;
}
