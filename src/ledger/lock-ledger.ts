import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { z } from 'zod';
import { ProviderError } from '../errors/provider-error.js';
import { readProcessTable, readStartTime } from '../process/process-table.js';

const owner = z.object({
  pid: z.number(),
  host: z.string(),
  startedAt: z.string(),
  /** Tells a process from a later one with the same number. */
  processStart: z.number().optional(),
});
type Owner = z.infer<typeof owner>;

const MOST_TRIES = 20;

/** Makes sure that one batch at a time uses a ledger. Resolves to what gives it free again. */
export async function lockLedger(ledgerFile: string): Promise<() => Promise<void>> {
  const lock = `${ledgerFile}.lock`;
  await mkdir(dirname(lock), { recursive: true });
  const text = JSON.stringify({
    pid: process.pid,
    host: hostname(),
    startedAt: new Date().toISOString(),
    processStart: readStartTime(process.pid),
  });
  const mine = `${lock}.${randomUUID()}`;
  await writeFile(mine, text);
  try {
    for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
      // A link comes with its content: nobody ever sees a lock that is half written.
      if (await tryTo(link(mine, lock), 'EEXIST')) return () => release(lock, text);
      await removeIfStale(lock, ledgerFile);
    }
    throw new Error(`${lock} changes hands too often`);
  } finally {
    await rm(mine, { force: true });
  }
}

async function removeIfStale(lock: string, ledgerFile: string): Promise<void> {
  const text = await readFile(lock, 'utf8').catch(() => undefined);
  if (text === undefined) return;
  const found = parseOwner(text);
  if (found !== undefined && isAlive(found)) throw inUse(found, ledgerFile, lock);
  const aside = `${lock}.${randomUUID()}`;
  if (!(await tryTo(rename(lock, aside), 'ENOENT'))) return;
  // Somebody else may have put a lock of their own there since we read it.
  if ((await readFile(aside, 'utf8')) !== text) await tryTo(link(aside, lock), 'EEXIST');
  await rm(aside, { force: true });
}

function parseOwner(text: string): Owner | undefined {
  try {
    return owner.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** One on another machine cannot be asked, so it is taken for alive. */
function isAlive({ pid, host, processStart }: Owner): boolean {
  if (host !== hostname()) return true;
  if (processStart !== undefined) return readStartTime(pid) === processStart;
  if (process.platform !== 'win32') return readProcessTable().some((entry) => entry.pid === pid);
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function inUse({ pid, host, startedAt }: Owner, ledgerFile: string, lock: string): ProviderError {
  const where = host === hostname() ? '' : ` on ${host}`;
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: `Another batch uses ${ledgerFile}: process ${pid}${where}, started ${startedAt}`,
    hint: `Wait for it or end it. If there is no such batch any more, remove ${lock}.`,
  });
}

async function release(lock: string, text: string): Promise<void> {
  const present = await readFile(lock, 'utf8').catch(() => undefined);
  if (present === text) await rm(lock, { force: true });
}

/** False where it failed in the way that was to be expected. */
async function tryTo(action: Promise<void>, expected: string): Promise<boolean> {
  try {
    await action;
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === expected) return false;
    throw error;
  }
}
