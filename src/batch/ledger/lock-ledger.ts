import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasErrno } from '../../base/errors/errno.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { ledgerProblem } from './ledger-problem.js';
import { describeOwner, isAlive, type LockOwner, parseOwner } from './lock-owner.js';

const MOST_TRIES = 200;
const BETWEEN_TRIES_MS = 10;

/** Locks a ledger, so that one batch at a time uses it. Resolves to a function that releases the lock. */
export async function lockLedger(ledgerFile: string): Promise<() => Promise<void>> {
  const lock = `${ledgerFile}.lock`;
  const text = describeOwner();
  const mine = `${lock}.${randomUUID()}`;
  try {
    await mkdir(dirname(lock), { recursive: true });
    await writeFile(mine, text);
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      // `link` creates the lock with its content in one operation: no process can read a half-written lock.
      if (await tryLink(mine, lock)) {
        await removeLeftBehind(lock);
        return () => removeOwn(lock, text);
      }
      await removeIfStale(lock, mine, ledgerFile);
    }
    throw new Error(
      `${lock} could not be created in ${MOST_TRIES} tries: other processes keep creating it`,
    );
  } catch (error) {
    throw ledgerProblem(ledgerFile, error);
  } finally {
    await rm(mine, { force: true }).catch(() => {});
  }
}

/**
 * Removes the lock of a dead process. A second lock (`.stale`) lets one process at a time do this: otherwise, if two
 * processes find the same stale lock, the slower one would remove the new lock of the faster one.
 */
async function removeIfStale(lock: string, mine: string, ledgerFile: string): Promise<void> {
  const found = await findOwner(lock);
  if (found === 'none') return;
  if (found !== 'unknown' && isAlive(found)) throw inUse(found, ledgerFile, lock);
  const guard = `${lock}.stale`;
  if (!(await tryLink(mine, guard))) {
    const remover = await findOwner(guard);
    const isDead = remover !== 'none' && (remover === 'unknown' || !isAlive(remover));
    if (isDead) await rm(guard, { force: true });
    return sleep(BETWEEN_TRIES_MS);
  }
  try {
    const still = await findOwner(lock);
    if (still === 'unknown' || (still !== 'none' && !isAlive(still))) {
      await rm(lock, { force: true });
    }
  } finally {
    await rm(guard, { force: true });
  }
}

/** Removes the temporary files of processes that were killed before they got the lock. */
async function removeLeftBehind(lock: string): Promise<void> {
  const folder = dirname(lock);
  const names = (await readdir(folder)).filter((name) => name.startsWith(`${basename(lock)}.`));
  for (const name of names) {
    const owner = await findOwner(join(folder, name));
    if (typeof owner === 'object' && !isAlive(owner)) await rm(join(folder, name), { force: true });
  }
}

/** Reads the owner of a lock: `none` if the file does not exist, `unknown` if its content is invalid. */
async function findOwner(lock: string): Promise<LockOwner | 'unknown' | 'none'> {
  const text = await readFile(lock, 'utf8').catch(() => undefined);
  return text === undefined ? 'none' : (parseOwner(text) ?? 'unknown');
}

function inUse(
  { pid, host, startedAt }: LockOwner,
  ledgerFile: string,
  lock: string,
): ProviderError {
  const where = host === hostname() ? '' : ` on ${host}`;
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: `Another batch uses ${ledgerFile}: process ${pid}${where}, started ${startedAt}`,
    hint: `Wait until that process ends, or end it. If it no longer exists, remove ${lock}.`,
  });
}

async function removeOwn(lock: string, text: string): Promise<void> {
  const present = await readFile(lock, 'utf8').catch(() => undefined);
  if (present === text) await rm(lock, { force: true });
}

/** Creates a hard link. Returns false if `to` exists. */
async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (hasErrno(error, 'EEXIST')) return false;
    throw error;
  }
}
