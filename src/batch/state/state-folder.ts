import { existsSync, mkdirSync, readlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, parse, resolve, sep } from 'node:path';
import { messageOf } from '../../base/errors/message-of.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { sha256 } from '../../base/fs/fingerprint.js';
import { isInside, realpathOf } from '../../base/fs/paths.js';
import { findForeignAccess, makePrivateFolder } from '../../base/fs/private-folder.js';
import { findStateDirectory } from '../../base/fs/state-directory.js';
import { lstatIfThere } from '../../base/fs/stats.js';
import { readEnvironment } from '../../base/process/environment.js';
import { safeName } from '../run/safe-name.js';

const PRIVATE = 0o700;
const HASH_CHARACTERS = 16;
const MOST_LINKS = 40;
const ROOT_USER = 0;

/**
 * Returns the state folder of the batch with this output folder: a folder of its own below `state`, or below the user's
 * state directory. The same output folder always has the same state folder.
 */
export function locateState(out: string, state: string | undefined): string {
  const real = realpathOf(resolve(out));
  return join(realpathOf(locateRoot(state)), nameOfState(real));
}

/** Returns the name of the state folder for the canonical path of an output folder. Looks at no disk. */
export function nameOfState(out: string): string {
  return `${safeName(basename(out) || 'root')}-${sha256(out).slice(0, HASH_CHARACTERS)}`;
}

/** Returns the folder that contains the state folders of all batches. */
export function locateRoot(state: string | undefined): string {
  return state === undefined
    ? join(findStateDirectory(readEnvironment()), 'batches')
    : resolve(state);
}

/**
 * Returns the state folder without creating it. Refuses a folder that is reached through a link of another user, and one
 * inside of a folder that an agent of the batch may write to.
 */
export function checkStateLocation(
  out: string,
  state: string | undefined,
  agentFolders: Iterable<string>,
): string {
  const root = locateRoot(state);
  const folder = locateState(out, state);
  for (const open of agentFolders) {
    if (isInside(open, folder)) throw refuse(folder, `lies inside of ${open}, where agents write`);
  }
  const link = findForeignLink(root);
  if (link !== undefined) throw refuse(root, `is reached through ${link}, a link of another user`);
  return folder;
}

/**
 * Creates the state folder, closed to other users. Refuses a folder that another user could change, and one inside of a
 * folder that an agent of the batch may write to.
 */
export function openStateFolder(
  out: string,
  state: string | undefined,
  agentFolders: Iterable<string>,
): string {
  const root = locateRoot(state);
  const folder = checkStateLocation(out, state, agentFolders);
  try {
    // The home itself is never created: a wrong HOME must not leave folders behind.
    const home = readEnvironment()['HOME'] || homedir();
    if (isInside(home, root) && !existsSync(home))
      throw new Error(`The home ${home} does not exist`);
    mkdirSync(root, { recursive: true, mode: PRIVATE });
    makePrivateFolder(folder);
  } catch (error) {
    throw refuse(folder, `cannot be created (${messageOf(error)})`);
  }
  for (const path of [dirname(folder), folder]) {
    const reason = findForeignAccess(path);
    if (reason !== undefined) throw refuse(path, reason);
  }
  return folder;
}

function refuse(path: string, reason: string): ProviderError {
  return new ProviderError({
    code: 'INVALID_CONFIG',
    message: `The state folder ${path} ${reason}`,
    hint: 'Set `state` (`--state DIR`) to a folder that belongs to you, that other users cannot write to (`chmod go-w`), and that lies outside of every working directory of the plan.',
  });
}

/** Finds a link of another user on the way to a path. Links of the system's root user are trusted. */
function findForeignLink(path: string, links = 0): string | undefined {
  if (process.getuid === undefined || links > MOST_LINKS) return undefined;
  const trusted = [ROOT_USER, process.getuid()];
  let current = parse(path).root;
  for (const part of path.slice(current.length).split(sep)) {
    current = join(current, part);
    const stats = lstatIfThere(current);
    if (stats === undefined) return undefined;
    if (!stats.isSymbolicLink()) continue;
    if (!trusted.includes(stats.uid)) return current;
    const target = resolve(dirname(current), readlinkSync(current));
    const foreign = findForeignLink(target, links + 1);
    if (foreign !== undefined) return foreign;
    current = realpathOf(current);
  }
  return undefined;
}
