import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { describeProcess } from '../../../src/base/process/process-identity.js';
import { REFRESH_TIMING } from '../../../src/batch/run/refresh-reports.js';
import { runBatch } from '../../../src/batch/run/run-batch.js';
import { createLease, listTokens } from '../../../src/batch/state/lease-file.js';
import { locateState } from '../../../src/batch/state/state-folder.js';
import { findSeal } from '../../../src/batch/state/state-key.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { createScriptedProvider } from './scripted-provider.js';

it('a run that was frozen and overtaken does not replace the reports of its successor', async () => {
  const out = join(makeTree(), 'out');
  const state = makeTree();
  let isRunning = false;
  const provider = createScriptedProvider(async ({ signal }) => {
    isRunning = true;
    await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    return {};
  });
  // Only the timer of the refresh goes on by itself.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const batch = runBatch([{ id: 'a', prompt: 'a' }], { out, state, provider, baseDir: makeTree() });
  const ending = expect(batch).rejects.toThrow('taken over');
  while (!isRunning) await sleep(10);
  const stateDir = locateState(out, state);
  const seal = findSeal(stateDir);
  if (seal === undefined) throw new Error('The batch has a key');
  const [token = 0] = await listTokens(stateDir);
  const startedAt = new Date().toISOString();
  const successor = { leaseId: 'other', owner: describeProcess(), startedAt, beat: 0 };
  expect(await createLease(stateDir, token + 1, successor, seal)).toBe(true);
  vi.advanceTimersByTime(REFRESH_TIMING.everyMs);
  await sleep(300);
  expect(existsSync(join(out, 'report.json'))).toBe(false);
  vi.useRealTimers();
  await ending;
});
