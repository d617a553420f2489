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

/** Makes sure that one batch at a time uses a ledger. Resolves to what gives it free again. */
export async function lockLedger(ledgerFile: string): Promise<() => Promise<void>> {
  const lock = `${ledgerFile}.lock`;
  const text = describeOwner();
  const mine = `${lock}.${randomUUID()}`;
  try {
    await mkdir(dirname(lock), { recursive: true });
    await writeFile(mine, text);
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      // A link comes with its content: nobody ever sees a lock that is half written.
      if (await tryLink(mine, lock)) {
        await removeLeftBehind(lock);
        return () => removeOwn(lock, text);
      }
      await removeIfStale(lock, mine, ledgerFile);
    }
    throw new Error(`${lock} changes hands too often`);
  } catch (error) {
    throw ledgerProblem(ledgerFile, error);
  } finally {
    await rm(mine, { force: true }).catch(() => {});
  }
}

/**
 * One at a time: of two that find the same stale lock, the slower one would else remove the lock that the faster
 * one has put in its place.
 */
async function removeIfStale(lock: string, mine: string, ledgerFile: string): Promise<void> {
  const found = await findOwner(lock);
  if (found === 'nobody') return;
  if (found !== 'unknown' && isAlive(found)) throw inUse(found, ledgerFile, lock);
  const guard = `${lock}.stale`;
  if (!(await tryLink(mine, guard))) {
    const remover = await findOwner(guard);
    const isGone = remover !== 'nobody' && (remover === 'unknown' || !isAlive(remover));
    if (isGone) await rm(guard, { force: true });
    return sleep(BETWEEN_TRIES_MS);
  }
  try {
    const still = await findOwner(lock);
    if (still === 'unknown' || (still !== 'nobody' && !isAlive(still))) {
      await rm(lock, { force: true });
    }
  } finally {
    await rm(guard, { force: true });
  }
}

/** What those had made who were killed before they got the lock. */
async function removeLeftBehind(lock: string): Promise<void> {
  const folder = dirname(lock);
  const names = (await readdir(folder)).filter((name) => name.startsWith(`${basename(lock)}.`));
  for (const name of names) {
    const owner = await findOwner(join(folder, name));
    if (typeof owner === 'object' && !isAlive(owner)) await rm(join(folder, name), { force: true });
  }
}

async function findOwner(lock: string): Promise<LockOwner | 'unknown' | 'nobody'> {
  const text = await readFile(lock, 'utf8').catch(() => undefined);
  return text === undefined ? 'nobody' : (parseOwner(text) ?? 'unknown');
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
    hint: `Wait for it or end it. If there is no such batch any more, remove ${lock}.`,
  });
}

async function removeOwn(lock: string, text: string): Promise<void> {
  const present = await readFile(lock, 'utf8').catch(() => undefined);
  if (present === text) await rm(lock, { force: true });
}

/** False where there is one already. */
async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (hasErrno(error, 'EEXIST')) return false;
    throw error;
  }
}
