import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { messageOf } from '../../base/errors/message-of.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import type { Environment } from '../../base/process/environment.js';
import type { QueuedProviderOptions } from '../../queue/provider/queued-provider-options.js';
import type { QueueConnection } from '../../queue/queue-connection.js';
import { toDuration } from '../config/config-flags.js';
import { createLimitFlags, type LimitFlags, readLimits } from './limit-flags.js';

/** Value of `--queue` that stands for the variable, so that no password has to be on the command line. */
const FROM_VARIABLE = 'env';
const QUEUE_VARIABLE = 'GEMINI_CLI_PROVIDER_QUEUE';

export interface ConnectionFlags {
  readonly queue?: string;
  readonly queueName?: string;
  readonly queueSecretFile?: string;
  readonly allowUnsigned?: boolean;
  readonly connectTimeout?: number | string;
}

export interface CallerFlags extends ConnectionFlags, LimitFlags {
  readonly labels?: readonly string[];
  readonly workspace?: string;
  readonly include?: readonly string[];
  readonly setup?: string;
  readonly priority?: number;
  readonly waitTimeout?: number | string;
}

export const toLabels = (value: string, all: readonly string[] | undefined): string[] => [
  ...(all ?? []),
  ...value.split(',').map((label) => label.trim()),
];

const collect = (value: string, all: string[] | undefined): string[] => [...(all ?? []), value];

export const toCount = (value: string): number => {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('Give a whole number.');
  return Number(value);
};

const WHERE = `URL of the store (redis://, rediss://, postgres://), "embedded", or "${FROM_VARIABLE}" for the variable ${QUEUE_VARIABLE}`;

/** Flags that name the queue, for all commands. */
function connectionFlags(isDefault: boolean, connectTimeout = '5m'): Option[] {
  const more = isDefault ? ` (default: ${FROM_VARIABLE})` : '';
  return [
    new Option('--queue <url>', `${isDefault ? '' : 'Run on workers of a queue: '}${WHERE}${more}`),
    new Option('--queue-name <name>', 'Name of the queue (default: gemini-cli-provider)'),
    new Option(
      '--queue-secret-file <file>',
      'File with the secret that signs jobs (default: the variable GEMINI_CLI_PROVIDER_QUEUE_SECRET)',
    ),
    new Option(
      '--allow-unsigned',
      'Accept jobs and results without a signature from a store on another machine',
    ),
    new Option(
      '--connect-timeout <time>',
      `Maximum wait for a store that cannot be reached (default: ${connectTimeout})`,
    ).argParser(toDuration),
  ];
}

/** Flags of a caller: what the queue and its workers have to know about the steps. */
const CALLER_FLAGS: readonly Option[] = [
  new Option(
    '--labels <a,b>',
    'With --queue: labels that a worker must have (repeatable)',
  ).argParser(toLabels),
  new Option(
    '--workspace <way>',
    'With --queue: how the folder reaches the worker: auto, shared, ship, or the URL of a git remote (default: auto)',
  ),
  new Option(
    '--include <glob>',
    'With --queue: ignored files that travel with the folder (repeatable)',
  ).argParser(collect),
  new Option(
    '--setup <command>',
    'With --queue: command that prepares the folder on the worker, as "npm ci"',
  ),
  new Option(
    '--priority <n>',
    'With --queue: steps with a lower number are taken first (default: 0)',
  ).argParser(toCount),
  new Option(
    '--wait-timeout <time>',
    'With --queue: maximum time in the queue (default: 24h)',
  ).argParser(toDuration),
  ...createLimitFlags('With --queue, shipped workspaces: '),
];

const CALLER_NAMES = CALLER_FLAGS.map((flag) => flag.attributeName());

/** Adds the flags that name the queue to a command that needs one. */
export function addConnectionFlags(command: Command, connectTimeout?: string): Command {
  for (const flag of connectionFlags(true, connectTimeout)) command.addOption(flag);
  return command;
}

/** Adds the flags of a caller, for commands that run steps here unless a queue is given. */
export function addCallerFlags(command: Command): Command {
  for (const flag of [...connectionFlags(false), ...CALLER_FLAGS]) {
    command.addOption(flag.helpGroup('Queue:'));
  }
  return command;
}

/** Names of the flags of a caller, for the groups of the help. */
export const CALLER_FLAG_NAMES: readonly string[] = [
  ...connectionFlags(false).map((flag) => flag.attributeName()),
  ...CALLER_NAMES,
];

/** Returns where the queue is. Throws INVALID_CONFIG if the variable is asked for and not set. */
export function readConnection(flags: ConnectionFlags, env: Environment): QueueConnection {
  const { queue: given = FROM_VARIABLE, queueName: name, queueSecretFile } = flags;
  const { allowUnsigned, connectTimeout } = flags;
  const queue = given === FROM_VARIABLE ? env[QUEUE_VARIABLE] : given;
  if (queue === undefined || queue === '') {
    throw new ProviderError({
      code: 'INVALID_CONFIG',
      message: `No queue is given: the variable ${QUEUE_VARIABLE} is not set`,
      hint: `Set the variable to the URL of the store, or give --queue.`,
    });
  }
  const secret = queueSecretFile === undefined ? undefined : readSecret(queueSecretFile);
  return {
    queue,
    ...(name === undefined ? {} : { name }),
    ...(secret === undefined ? {} : { secret }),
    ...(allowUnsigned === undefined ? {} : { allowUnsigned }),
    ...(connectTimeout === undefined ? {} : { connectTimeout }),
  };
}

function readSecret(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new ProviderError({
      code: 'INVALID_CONFIG',
      message: `The file of --queue-secret-file cannot be read: ${messageOf(error)}`,
      hint: 'Give a file that this user can read, or set GEMINI_CLI_PROVIDER_QUEUE_SECRET.',
    });
  }
}

/**
 * Returns the options of the provider in front of the queue; undefined without `--queue`. Throws if a flag is given that
 * only a queue gives a meaning.
 */
export function readCallerOptions(
  flags: CallerFlags,
  env: Environment,
): QueuedProviderOptions | undefined {
  if (flags.queue === undefined) {
    refuseWithoutQueue(flags);
    return undefined;
  }
  const { labels, workspace, include, setup, priority, waitTimeout } = flags;
  const given = { labels, include, setup, priority, waitTimeout };
  return {
    ...readConnection(flags, env),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    ...readLimits(flags),
    ...(workspace === undefined ? {} : { workspace: toWorkspace(workspace) }),
  };
}

function toWorkspace(value: string): QueuedProviderOptions['workspace'] {
  if (value === 'auto' || value === 'shared' || value === 'ship') return value;
  if (value.includes(':')) return { remote: value };
  throw new ProviderError({
    code: 'INVALID_INPUT',
    message: `--workspace is "${value}", and not auto, shared, ship or the URL of a git remote`,
    hint: 'Write the path of a git remote as file:///srv/steps.git.',
  });
}

function refuseWithoutQueue(flags: CallerFlags): void {
  const values = new Map<string, unknown>(Object.entries(flags));
  const useless = CALLER_FLAGS.find((flag) => values.get(flag.attributeName()) !== undefined);
  if (useless === undefined) return;
  throw new ProviderError({
    code: 'INVALID_INPUT',
    message: `${useless.long} has no meaning without --queue`,
    hint: `Give --queue URL, or --queue ${FROM_VARIABLE} for the variable ${QUEUE_VARIABLE}.`,
  });
}
