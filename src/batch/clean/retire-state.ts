import { randomBytes } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readFolder } from '../../base/fs/read-folder.js';
import { PROOF_FILES } from '../state/folders-record.js';

const RETIRED = /^(.+-[0-9a-f]{16})\.removed-[0-9a-f]{12}$/;

/**
 * Gives a state folder another name, in one operation: from then on the batch has no state, also if the clean-up is killed
 * before everything is removed.
 */
export async function retireState(stateDir: string): Promise<string> {
  const retired = `${stateDir}.removed-${randomBytes(6).toString('hex')}`;
  await rename(stateDir, retired);
  return retired;
}

/** Returns the name that a retired state folder had; undefined for all other names. */
export function nameBeforeRetirement(name: string): string | undefined {
  return RETIRED.exec(name)?.[1];
}

/** Removes a retired state folder. The files that prove whose it is go last, so that a later clean-up can continue. */
export async function removeRetired(retired: string): Promise<void> {
  const rest = readFolder(retired).filter(({ name }) => !PROOF_FILES.includes(name));
  for (const { name } of rest) await removeTree(join(retired, name));
  await removeTree(retired);
}

function removeTree(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true, maxRetries: 3 });
}
