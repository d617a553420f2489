import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROCESS_TAG_VARIABLE } from '../../../src/base/process/process-tree.js';
import type { ReaperMessage } from '../../../src/base/process/reaper-protocol.js';
import { endAfterTest, isAlive, makeFolder } from '../../fixtures/cli/support.js';

const MAIN = join(import.meta.dirname, '../../../dist/reaper.js');

/** Starts a process that only the tag in its environment identifies. */
function startTagged(tag: string): number {
  const env = { ...process.env, [PROCESS_TAG_VARIABLE]: tag };
  const { pid = 0 } = spawn('sleep', ['30'], { env, detached: true, stdio: 'ignore' });
  endAfterTest(pid);
  return pid;
}

describe('the reaper program', () => {
  it('ends all watched processes and folders that were not forgotten, when its stdin ends', async () => {
    const trees = [1, 2, 3].map(() => ({ tag: randomUUID(), directory: makeFolder({ a: 'x' }) }));
    const pids = trees.map(({ tag }) => startTagged(tag));
    const reaper = spawn(process.execPath, [MAIN], { stdio: ['pipe', 'ignore', 'inherit'] });
    endAfterTest(reaper.pid ?? 0);
    const send = (message: ReaperMessage) => reaper.stdin.write(`${JSON.stringify(message)}\n`);
    for (const { tag, directory } of trees) {
      send({ type: 'watch-folder', path: directory });
      send({ type: 'watch-processes', tag });
    }
    send({ type: 'watch-processes', tag: trees[0]?.tag ?? '', pid: pids[0] });
    send({ type: 'forget-processes', tag: trees[1]?.tag ?? '' });
    send({ type: 'forget-processes', tag: 'never heard of' });
    send({ type: 'forget-folder', path: trees[2]?.directory ?? '' });
    send({ type: 'watch-folder', path: '/never/there' });
    reaper.stdin.end();
    expect(await once(reaper, 'exit')).toEqual([0, null]);
    expect(pids.map(isAlive)).toEqual([false, true, false]);
    expect(trees.map(({ directory }) => existsSync(directory))).toEqual([false, false, true]);
  });
});
