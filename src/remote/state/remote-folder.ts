import { mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ProviderError } from '../../base/errors/provider-error.js';
import { findForeignAccess, makePrivateFolder } from '../../base/fs/private-folder.js';
import { findStateDirectory } from '../../base/fs/state-directory.js';
import type { Environment } from '../../base/process/environment.js';

/** Folders and files of a remote server. All of them belong to the user alone. */
export interface RemoteFolder {
  readonly path: string;
  /** Socket on which the hooks of the CLI talk to the server. */
  readonly socket: string;
  readonly devicesFile: string;
  readonly auditFile: string;
  readonly presenceFile: string;
  readonly lockFile: string;
  readonly pushKeysFile: string;
  /** Folder of the session logs. */
  readonly sessions: string;
}

/** Returns the path of the state folder. A path that was given may be relative; hooks run in other folders. */
export function findRemotePath(environment: Environment, given: string | undefined): string {
  return given === undefined ? join(findStateDirectory(environment), 'remote') : resolve(given);
}

/** Opens the state folder of the remote server, and creates it if needed. Throws INVALID_CONFIG if other users could write to it. */
export function openRemoteFolder(
  environment: Environment,
  given?: string | undefined,
): RemoteFolder {
  const path = findRemotePath(environment, given);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  makePrivateFolder(path);
  const sessions = join(path, 'sessions');
  makePrivateFolder(sessions);
  const problem = findForeignAccess(path) ?? findForeignAccess(sessions);
  if (problem !== undefined) {
    throw new ProviderError({
      code: 'INVALID_CONFIG',
      message: `The state folder of the remote server ${path} ${problem}`,
      hint: `Remove the folder, or close it to other users: chmod 700 ${path}`,
    });
  }
  return describeRemoteFolder(path);
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
