import { mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { messageOf } from '../../base/errors/message-of.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { findForeignAccess, makePrivateFolder } from '../../base/fs/private-folder.js';
import { findStateDirectory } from '../../base/fs/state-directory.js';
import type { Environment } from '../../base/process/environment.js';
import { shellWord } from '../tmux/shell-word.js';

/** Longest path of a unix socket. A longer one would be cut, and lead to another file. */
const MOST_SOCKET_BYTES = process.platform === 'darwin' ? 103 : 107;

/** Folders and files of a remote server. All of them belong to the user alone. */
export interface RemoteFolder {
  readonly path: string;
  /** Socket on which the hooks of the CLI talk to the server. */
  readonly socket: string;
  readonly devicesFile: string;
  readonly auditFile: string;
  readonly presenceFile: string;
  /** File with the process of the running server. */
  readonly lockFile: string;
  readonly pushKeysFile: string;
  /** Folder of the session logs. */
  readonly sessions: string;
}

/** Returns the path of the state folder. A path that was given may be relative; hooks run in other folders. */
export function findRemotePath(environment: Environment, given: string | undefined): string {
  return given === undefined ? join(findStateDirectory(environment), 'remote') : resolve(given);
}

/** Returns the flag with which a command finds a state folder that was given, for messages that name a command. */
export function stateFlag(given: string | undefined): string {
  if (given === undefined) return '';
  return ` --state ${/^[\w@%+=:,./-]+$/.test(given) ? given : shellWord(given)}`;
}

/**
 * Opens the state folder of the remote server, and creates it if needed. Throws INVALID_CONFIG if other users could write to
 * it, if it cannot be made, or if its path is too long for a socket.
 */
export function openRemoteFolder(
  environment: Environment,
  given?: string | undefined,
): RemoteFolder {
  const path = findRemotePath(environment, given);
  const folder = describeRemoteFolder(path);
  assertShort(folder);
  const problem = makeFolders(folder);
  if (problem !== undefined) {
    throw new ProviderError({
      code: 'INVALID_CONFIG',
      message: `The state folder of the remote server ${path} ${problem}`,
      hint: `Give another folder with --state. A folder that others can write to can be closed to them: chmod 700 ${path}`,
    });
  }
  return folder;
}

/** Makes the folders. Returns why they cannot be used. */
function makeFolders({ path, sessions }: RemoteFolder): string | undefined {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    makePrivateFolder(path);
    // Nothing is made in the folder of another user, or behind a link.
    const problem = findForeignAccess(path);
    if (problem !== undefined) return problem;
    makePrivateFolder(sessions);
    return findForeignAccess(sessions);
  } catch (error) {
    return `cannot be made: ${messageOf(error)}`;
  }
}

function assertShort({ path, socket }: RemoteFolder): void {
  const bytes = Buffer.byteLength(socket);
  if (process.platform === 'win32' || bytes <= MOST_SOCKET_BYTES) return;
  throw new ProviderError({
    code: 'INVALID_CONFIG',
    message: `The path of the state folder is too long for a socket by ${bytes - MOST_SOCKET_BYTES} bytes: ${path}`,
    hint: 'Give a folder with a shorter path with --state.',
  });
}

/** Returns the paths in a state folder, without touching the disk. */
export function describeRemoteFolder(path: string): RemoteFolder {
  return {
    path,
    socket: join(path, 'hooks.sock'),
    devicesFile: join(path, 'devices.json'),
    auditFile: join(path, 'audit.jsonl'),
    presenceFile: join(path, 'away'),
    lockFile: join(path, 'server.json'),
    pushKeysFile: join(path, 'push-keys.json'),
    sessions: join(path, 'sessions'),
  };
}
