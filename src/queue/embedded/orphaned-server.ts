import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isProcessAlive } from '../../base/process/process-table.js';
import { sleep } from '../../base/process/timing.js';

const STOP_MS = 10_000;
const POLL_MS = 50;

/** Ends the server of a host program that was killed: it would keep the data to itself, and nothing would ever end it. */
export async function endOrphanedServer(data: string): Promise<void> {
  const file = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(file.split('\n')[0]);
  if (!(pid > 0) || !(await isServerOf(pid, data))) return;
  process.kill(pid, 'SIGINT');
  for (let waited = 0; waited < STOP_MS && isProcessAlive(pid); waited += POLL_MS)
    await sleep(POLL_MS);
}

/** True if the process works with these data: the pid may belong to another program by now. Linux only. */
async function isServerOf(pid: number, data: string): Promise<boolean> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return command.split('\0').includes(data);
}
