import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RUN_MARKER } from '../../../src/base/process/process-family.js';
import type { ReaperMessage } from '../../../src/base/process/reaper-protocol.js';
import { endAfterTest, isAlive, makeFolder } from '../../fixtures/cli/support.js';

const MAIN = join(import.meta.dirname, '../../../dist/base/process/reaper-main.js');

/** A process of a run, known by its marker alone. */
function startRun(runId: string): number {
  const env = { ...process.env, [RUN_MARKER]: runId };
  const { pid = 0 } = spawn('sleep', ['30'], { env, detached: true, stdio: 'ignore' });
  endAfterTest(pid);
  return pid;
}

describe('the program that outlives its host', () => {
  it('ends what it was told of and not told to forget, once its input ends', async () => {
    const runs = [1, 2, 3].map(() => ({ runId: randomUUID(), directory: makeFolder({ a: 'x' }) }));
    const pids = runs.map(({ runId }) => startRun(runId));
    const reaper = spawn(process.execPath, [MAIN], { stdio: ['pipe', 'ignore', 'inherit'] });
    endAfterTest(reaper.pid ?? 0);
    const send = (message: ReaperMessage) => reaper.stdin.write(`${JSON.stringify(message)}\n`);
    for (const { runId, directory } of runs) {
      send({ type: 'watch-folder', path: directory });
      send({ type: 'watch-run', runId });
    }
    send({ type: 'watch-run', runId: runs[0]?.runId ?? '', pid: pids[0] });
    send({ type: 'forget-run', runId: runs[1]?.runId ?? '' });
    send({ type: 'forget-run', runId: 'never heard of' });
    send({ type: 'forget-folder', path: runs[2]?.directory ?? '' });
    send({ type: 'watch-folder', path: '/never/there' });
    reaper.stdin.end();
    expect(await once(reaper, 'exit')).toEqual([0, null]);
    expect(pids.map(isAlive)).toEqual([false, true, false]);
    expect(runs.map(({ directory }) => existsSync(directory))).toEqual([false, false, true]);
  });
});
