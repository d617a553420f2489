import { randomBytes } from 'node:crypto';
import { linkSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hasErrno } from '../../base/errors/errno.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { readIfThere } from '../../base/fs/read-if-there.js';
import { readEnvironment, STATE_KEY_VARIABLE } from '../../base/process/environment.js';
import { Seal } from './seal.js';

const KEY_FILE = 'key';
const KEY_BYTES = 32;
const KEY = /^[0-9a-f]{64}\n$/;
const PRIVATE = 0o600;
const SHORTEST_KEY = 16;

/** Key of state without a key file: nothing of that state outlives this process. */
const processSeal = new Seal(randomBytes(KEY_BYTES), 'a key of this process');

/** Returns the seal of a state folder: from the variable, else from the key file, which is created if needed. */
export function openStateKey(folder: string): Seal {
  const file = join(folder, KEY_FILE);
  return findSeal(folder) ?? createKeyFile(file);
}

/** Returns the seal for a file in a state folder or in a folder of it. */
export function sealOf(file: string): Seal {
  const folder = dirname(file);
  return findSeal(folder) ?? findSeal(dirname(folder)) ?? processSeal;
}

/** Returns the seal of a state folder; undefined if the folder has no key yet. */
export function findSeal(folder: string): Seal | undefined {
  const given = readEnvironment()[STATE_KEY_VARIABLE];
  if (given !== undefined && given !== '') return sealOfVariable(given);
  const file = join(folder, KEY_FILE);
  const key = readIfThere(file);
  if (key === undefined) return undefined;
  // A damaged key still gives a seal: all files of the state are then foreign, and the batch is refused with a remedy.
  return new Seal(KEY.test(key) ? key.trim() : `damaged ${key}`, `the key in ${file}`);
}

function sealOfVariable(key: string): Seal {
  if (key.length >= SHORTEST_KEY) return new Seal(key, `the key in ${STATE_KEY_VARIABLE}`);
  throw new ProviderError({
    code: 'INVALID_CONFIG',
    message: `${STATE_KEY_VARIABLE} is too short: the key needs ${SHORTEST_KEY} characters or more`,
    hint: `Set ${STATE_KEY_VARIABLE} to a long random text, or unset it to use a key file in the state folder.`,
  });
}

/** Creates the key file. `link` creates it with its content in one operation: two batches get the same key. */
function createKeyFile(file: string): Seal {
  const unfinished = `${file}.${randomBytes(6).toString('hex')}.new`;
  writeFileSync(unfinished, `${randomBytes(KEY_BYTES).toString('hex')}\n`, {
    mode: PRIVATE,
    flag: 'wx',
    flush: true,
  });
  try {
    linkSync(unfinished, file);
  } catch (error) {
    if (!hasErrno(error, 'EEXIST')) throw error;
  } finally {
    rmSync(unfinished, { force: true });
  }
  return findSeal(dirname(file)) ?? processSeal;
}
