import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';

/** User and group `nobody`. */
const NOBODY = 65_534;

/** Capabilities with which root passes over the permissions of files, to be removed. */
const WRITES_ANYWHERE = '-dac_override,-dac_read_search';

/** A user without privileges, for tests that root runs. */
export interface PlainUser {
  /** Words before a command. */
  readonly launcher: readonly string[];
  /** Options for `spawn`. */
  readonly identity: { readonly uid?: number; readonly gid?: number };
  /** Gives a folder with its files to the user. */
  own(folder: string): void;
}

/**
 * Returns the user `nobody`, or root without the right to pass over permissions of files if this repository lies in a
 * folder that `nobody` may not enter. Tests that are not run by root have a plain user already.
 */
export function choosePlainUser(): PlainUser {
  if (process.getuid?.() !== 0) return { launcher: [], identity: {}, own: () => {} };
  if (!isOpenToAll(import.meta.dirname)) {
    const launcher = ['setpriv', `--bounding-set=${WRITES_ANYWHERE}`, '--inh-caps=-all'];
    return { launcher, identity: {}, own: () => {} };
  }
  const own = (folder: string): void => {
    execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, folder]);
  };
  return { launcher: [], identity: { uid: NOBODY, gid: NOBODY }, own };
}

/** True if every user may read the folder and enter all folders above it. */
function isOpenToAll(folder: string): boolean {
  if ((statSync(folder).mode & 0o005) !== 0o005) return false;
  return dirname(folder) === folder || isOpenToAll(dirname(folder));
}
