import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { hasErrno } from '../../base/errors/errno.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { statIfThere } from '../../base/fs/stats.js';
import { describeProcess, isKnownDead } from '../../base/process/process-identity.js';
import { ownerSchema } from '../../batch/state/owner-schema.js';

const POLL_MS = 20;
const RENEW_MS = 5_000;
/** A lock that was not renewed for so long belongs to a process that is gone, also on another machine. */
const STALE_MS = 60_000;

/**
 * Runs work while this process holds a lock file. Other processes and other calls wait. The lock of a process that has
 * died is taken over.
 */
export async function withFolderLock<T>(
  file: string,
  work: () => Promise<T> | T,
  signal?: AbortSignal,
): Promise<T> {
  const own = `${file}.${randomBytes(6).toString('hex')}`;
  writeFileSync(own, JSON.stringify(describeProcess()), { mode: 0o600 });
  try {
    while (!take(own, file)) {
      if (signal?.aborted) throw cancelledWait(file);
      removeDead(file);
      await delay(POLL_MS);
    }
    const renewing = setInterval(() => renew(file), RENEW_MS);
    renewing.unref();
    try {
      return await work();
    } finally {
      clearInterval(renewing);
      rmSync(file, { force: true });
    }
  } finally {
    rmSync(own, { force: true });
  }
}

/** Creates the lock file with its content in one operation. */
function take(own: string, file: string): boolean {
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if (hasErrno(error, 'EEXIST')) return false;
    throw error;
  }
}

function renew(file: string): void {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // The lock was taken over, because this process was frozen for a minute.
  }
}

function removeDead(file: string): void {
  const content = readLock(file);
  if (content === undefined || !isAbandoned(file, content)) return;
  const taken = `${file}.${randomBytes(6).toString('hex')}.dead`;
  try {
    renameSync(file, taken);
    // Another process was faster, and this is its new lock: it gets the lock back.
    if (readLock(taken) !== content) take(taken, file);
    rmSync(taken, { force: true });
  } catch (error) {
    if (!hasErrno(error, 'ENOENT')) throw error;
  }
}

function isAbandoned(file: string, content: string): boolean {
  const owner = ownerSchema.safeParse(parseJson(content)).data;
  if (owner !== undefined && isKnownDead(owner)) return true;
  return Date.now() - (statIfThere(file)?.mtimeMs ?? Date.now()) > STALE_MS;
}

function readLock(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (hasErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function cancelledWait(file: string): ProviderError {
  return new ProviderError({
    code: 'CANCELLED',
    message: `The step was cancelled while its workspace waited for ${file}`,
  });
}
