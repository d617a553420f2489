import type { ErrorCode } from '../../api/error.js';
import { errnoOf } from '../../base/errors/errno.js';
import { messageOf } from '../../base/errors/message-of.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import type { StoreAddress } from './store-url.js';

interface Kind {
  readonly matches: RegExp;
  readonly code: ErrorCode;
  readonly problem: string;
  readonly hint: string;
}

/** What stores and the network report, by the code or the beginning of the message of their errors. */
const KINDS: readonly Kind[] = [
  {
    matches: /^(?:WRONGPASS|NOAUTH|28P01|28000|ERR invalid password|ERR Client sent AUTH)/,
    code: 'INVALID_CONFIG',
    problem: 'refuses the credentials',
    hint: 'Correct user and password in the URL of the queue, or in the variables PGUSER and PGPASSWORD, REDIS_USERNAME and REDIS_PASSWORD.',
  },
  {
    matches: /^(?:3D000|ERR DB index|ERR invalid DB)/,
    code: 'INVALID_CONFIG',
    problem: 'has no such database',
    hint: 'Create the database, or correct its name at the end of the URL of the queue.',
  },
  {
    matches: /^(?:NOPERM|42501)/,
    code: 'INVALID_CONFIG',
    problem: 'does not permit this user what a queue needs',
    hint: 'Give the user of the queue the right to create and write its own schema (PostgreSQL), or all commands on its keys (Redis).',
  },
  {
    matches: /^(?:READONLY|25006)/,
    code: 'API_UNAVAILABLE',
    problem: 'is read-only',
    hint: 'Connect to the primary server, or wait until the store can be written again.',
  },
  {
    matches: /^(?:OOM|MISCONF|53100|53200|54000)/,
    code: 'API_UNAVAILABLE',
    problem: 'is full',
    hint: 'Free memory or disk space of the store, or remove ended jobs with `gemini-cli-provider queue clean`.',
  },
  {
    matches: /^(?:53300|ERR max number of clients)/,
    code: 'API_UNAVAILABLE',
    problem: 'has no connection left',
    hint: 'Raise max_connections (PostgreSQL) or maxclients (Redis), or run fewer workers.',
  },
  {
    matches: /^(?:SchemaVersionMismatchError|UnsupportedPostgresVersionError)/,
    code: 'INVALID_CONFIG',
    problem: 'does not fit this version of BullMQ',
    hint: 'Install the same version of bullmq on all machines, and PostgreSQL 13 or newer.',
  },
  {
    matches: /^(?:SchemaMigrationRequiredError|42P01|3F000)/,
    code: 'INVALID_CONFIG',
    problem: 'has no schema of BullMQ, or an older one',
    hint: 'Let a user who may create schemas start a worker once: the schema is then created.',
  },
];

const CONNECTION =
  /^(?:ECONN\w+|E(?:TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN|PIPE)|57P0[123]|08\w{3})|Connection (?:terminated|is closed|timeout)|timeout expired|read timeout|Socket timeout|Client has encountered a connection error|LOADING|timeout exceeded when trying to connect/i;

/** What Redis before version 7 writes before the error of a command in a script. */
const IN_SCRIPT = /^ERR Error running script.*@user_script: ?\d+: -?/;

/** True if the store cannot be reached at the moment: waiting may help. */
export function isStoreAway(error: unknown): boolean {
  return CONNECTION.test(codeOf(error)) || CONNECTION.test(messageOf(error));
}

/** A fault of the store that waiting alone does not repair: full, read-only, not permitted and the like. */
export interface StoreProblem {
  /** Names the kind of the problem, as `is full`. */
  readonly kind: string;
  readonly code: ErrorCode;
  /** Names the store without its credentials. */
  readonly message: string;
}

/** Returns what is wrong with the store. Undefined for an error of another kind, such as a lost connection. */
export function findStoreProblem(
  error: unknown,
  address: Pick<StoreAddress, 'shown' | 'redactor'>,
): StoreProblem | undefined {
  const kind = kindOf(error, textOf(error, address));
  if (kind === undefined) return undefined;
  const { code, message } = toStoreError(error, address);
  return { kind: kind.problem, code, message };
}

/** Maps an error of a driver to a `ProviderError` that names the store without its credentials. */
export function toStoreError(error: unknown, address: Pick<StoreAddress, 'shown' | 'redactor'>) {
  if (ProviderError.isInstance(error)) return error;
  const text = textOf(error, address);
  const kind = kindOf(error, text);
  const message = (problem: string): string => `The store ${address.shown} ${problem}: ${text}`;
  if (kind !== undefined) {
    const { code, problem, hint } = kind;
    return new ProviderError({ code, message: message(problem), hint });
  }
  return new ProviderError({
    code: isStoreAway(error) ? 'NETWORK' : 'UNKNOWN',
    message: message(isStoreAway(error) ? 'cannot be reached' : 'reports an error'),
    hint: 'Check the URL of the queue, and that the store runs and can be reached from this machine.',
  });
}

function kindOf(error: unknown, text: string): Kind | undefined {
  return KINDS.find(({ matches }) => matches.test(codeOf(error)) || matches.test(text));
}

/** Returns what the store said. Redis hides the cause behind the name of a script, or of a transaction. */
function textOf(error: unknown, { redactor }: Pick<StoreAddress, 'redactor'>): string {
  const text = messageOf(causeOf(error)).replace(IN_SCRIPT, '');
  return redactor.text(text) || codeOf(error);
}

function causeOf(error: unknown): unknown {
  if (!(error instanceof Error) || !('previousErrors' in error)) return error;
  const { previousErrors } = error;
  return Array.isArray(previousErrors) ? (previousErrors.find(Boolean) ?? error) : error;
}

function codeOf(error: unknown): string {
  return errnoOf(error) ?? (error instanceof Error && error.name !== 'Error' ? error.name : '');
}
