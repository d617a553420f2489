import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ProgramIdentity } from '../../base/process/spawn-server.js';

/** Users without privileges, in the order of preference. A machine with PostgreSQL has the first, every Debian the second. */
const UNPRIVILEGED = ['postgres', 'nobody'];
const OTHERS_MAY_ENTER = 0o001;

/**
 * Returns the user that runs PostgreSQL: this user, or for root, which PostgreSQL refuses, one without privileges that the machine
 * already has. No user is created.
 */
export async function chooseDatabaseUser(accounts = '/etc/passwd'): Promise<ProgramIdentity> {
  if (process.getuid?.() !== 0) return {};
  const lines = (await readFile(accounts, 'utf8')).split('\n').map((line) => line.split(':'));
  for (const wanted of UNPRIVILEGED) {
    const [, , uid, gid] = lines.find(([name]) => name === wanted) ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  const names = UNPRIVILEGED.join(', ');
  throw new Error(`PostgreSQL does not run as root, and ${accounts} has none of these: ${names}`);
}

/** True if every user may enter the folder and all folders above it. */
export async function isOpenToAll(folder: string): Promise<boolean> {
  const { mode } = await stat(folder);
  if ((mode & OTHERS_MAY_ENTER) === 0) return false;
  const parent = dirname(folder);
  return parent === folder || isOpenToAll(parent);
}
