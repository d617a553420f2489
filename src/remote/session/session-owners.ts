import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { hasErrno } from '../../base/errors/errno.js';
import {
  describeProcess,
  isKnownDead,
  type ProcessFacts,
} from '../../base/process/process-identity.js';
import { refusal } from './refusal.js';

const facts = z.object({
  id: z.string(),
  pid: z.number(),
  host: z.string(),
  startTime: z.number().optional(),
  boot: z.string().optional(),
  pidNamespace: z.string().optional(),
});
const MOST_TRIES = 3;

/** The right to lead one session of the CLI. */
export interface SessionClaim {
  release(): Promise<void>;
}

/**
 * Locks for sessions of the CLI: two processes that write to one session lose turns of each other, so a session has one owner
 * at a time, across all servers of the user. A lock is a file with the facts of its process; the lock of a process that has
 * ended counts no more.
 */
export class SessionOwners {
  readonly #folder: string;

  /** @param folder private folder of the locks */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Takes the lock of a session. Throws INVALID_INPUT if another owner has it.
   *
   * @param owner process that leads the session
   */
  async claim(
    cliSessionId: string,
    owner: ProcessFacts = describeProcess(),
  ): Promise<SessionClaim> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const path = join(this.#folder, `${cliSessionId.replace(/[^\w-]/g, '_')}.json`);
    const claimed = JSON.stringify({ ...owner, id: randomUUID() });
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      try {
        await writeFile(path, claimed, { flag: 'wx', mode: 0o600 });
        return { release: () => removeIf(path, (text) => text === claimed) };
      } catch (error) {
        if (!hasErrno(error, 'EEXIST')) throw error;
      }
      // The CLI at the desk keeps its lock when this server starts again.
      if (owner.pid !== process.pid && (await isOwnedBy(path, owner)))
        return { release: () => removeIf(path, (text) => isSameOwner(text, owner)) };
      await removeIf(path, isStale);
    }
    throw refusal(
      'Another process leads this session',
      'End the session there, or wait until it is idle and hand it back.',
    );
  }
}

async function isOwnedBy(path: string, owner: ProcessFacts): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return isSameOwner(text, owner);
}

function isSameOwner(text: string, { pid, startTime, boot }: ProcessFacts): boolean {
  const found = parseFacts(text);
  return found?.pid === pid && found.startTime === startTime && found.boot === boot;
}

/** True for the lock of a process that is known to have ended, and for a file that is no lock. */
function isStale(text: string): boolean {
  const found = parseFacts(text);
  // An empty file is a lock that is being written.
  return found === undefined ? text !== '' : isKnownDead(found);
}

function parseFacts(text: string): ProcessFacts | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return facts.safeParse(value).data;
  } catch {
    return undefined;
  }
}

/**
 * Removes a lock that fulfils the condition. The file is moved away first and read again there: another process may have
 * replaced it since it was read.
 */
async function removeIf(path: string, isWanted: (text: string) => boolean): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined || !isWanted(text)) return;
  const moved = `${path}.${randomUUID()}`;
  try {
    await rename(path, moved);
    const seen = await readFile(moved, 'utf8');
    if (!isWanted(seen)) await writeFile(path, seen, { flag: 'wx', mode: 0o600 }).catch(() => {});
  } catch (error) {
    if (!hasErrno(error, 'ENOENT')) throw error;
  } finally {
    await rm(moved, { force: true });
  }
}
