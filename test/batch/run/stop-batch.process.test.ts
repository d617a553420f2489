import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { runBatch } from '../../../src/batch/run/run-batch.js';
import { stopBatch } from '../../../src/batch/run/stop-batch.js';
import { locateState } from '../../../src/batch/state/state-folder.js';
import { readStopRequest, writeStopRequest } from '../../../src/batch/state/stop-request.js';
import { addBatchCommand } from '../../../src/cli/batch/batch.js';
import type { Output } from '../../../src/cli/output/output.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { runCommandHere } from '../../fixtures/cli/in-process.js';
import { createScriptedProvider } from './scripted-provider.js';

/** Starts a batch of two steps, one at a time. The first step ends when it is cancelled or released. */
async function startBatch() {
  const folder = makeTree();
  const [out, state, workingDir] = ['out', 'state', 'work'].map((name) => join(folder, name));
  if (out === undefined || state === undefined || workingDir === undefined) throw new Error('no');
  mkdirSync(workingDir);
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const provider = createScriptedProvider(async ({ signal }) => {
    begin();
    await Promise.race([
      released,
      new Promise((resolve) => signal?.addEventListener('abort', resolve)),
    ]);
    return signal?.aborted === true ? { error: 'CANCELLED' } : {};
  });
  const steps = ['a', 'b'].map((id) => ({ id, prompt: id, retries: 0 }));
  const plan = { defaults: { workingDir }, steps };
  const run = runBatch(plan, { out, state, provider, concurrency: 1, baseDir: folder });
  await begun;
  return { out, state, run, release };
}

/** Adds the command as the program does: options after `stop` belong to `stop`. */
function addCommand(program: Command, output: Output): void {
  addBatchCommand(program.enablePositionalOptions(), output);
}

it('stop lets the running step finish, and waits for the end of the batch', async () => {
  const { out, state, run, release } = await startBatch();
  const messages: string[] = [];
  const onProgress = (message: string) => void messages.push(message);
  await stopBatch({ out, state, kind: 'stop', wait: false, onProgress });
  expect(messages).toEqual([expect.stringContaining(`process ${process.pid}`)]);
  const waiting = stopBatch({ out, state, kind: 'stop', wait: true, onProgress });
  setTimeout(release, 2_500);
  await waiting;
  expect(await run).toMatchObject({
    outcome: 'stopped',
    stop: { reason: 'interrupted' },
    steps: [{ state: 'succeeded' }, { state: 'pending' }],
  });
  expect(readdirSync(locateState(out, state))).not.toContain('stop.json');
});

it('cancel cancels the running step', async () => {
  const { out, state, run } = await startBatch();
  const shown = await runCommandHere(addCommand, [
    'batch',
    'stop',
    out,
    '--state',
    state,
    '--cancel',
  ]);
  expect(shown.stdout).toBe('The batch has ended.\n');
  expect(shown.stderr).toContain('cancels its running steps');
  expect(await run).toMatchObject({
    stop: { reason: 'cancelled' },
    steps: [{ state: 'cancelled' }, { state: 'pending' }],
  });
});

it('says that no batch runs, or that its lease cannot be read', async () => {
  const out = join(makeTree(), 'out');
  const state = makeTree();
  const options = { out, state, kind: 'stop' as const, wait: true, onProgress: () => {} };
  await expect(stopBatch(options)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: `No batch runs in ${out}`,
  });
  const folder = locateState(out, state);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'key'), `${'0'.repeat(64)}\n`);
  writeFileSync(join(folder, 'lease-1.json'), 'damaged');
  await expect(stopBatch(options)).rejects.toThrow('damaged or signed with another key');
});

it('a request counts for one run only, and only if it is signed (claim: stop-request-signed)', () => {
  const folder = makeTree();
  writeFileSync(join(folder, 'key'), `${'0'.repeat(64)}\n`);
  writeStopRequest(folder, 'one', 'cancel');
  expect(readStopRequest(folder, 'one')).toBe('cancel');
  expect(readStopRequest(folder, 'other')).toBeUndefined();
  writeFileSync(join(folder, 'stop.json'), JSON.stringify({ leaseId: 'one', kind: 'stop' }));
  expect(readStopRequest(folder, 'one')).toBeUndefined();
});
