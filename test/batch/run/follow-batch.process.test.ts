import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { BatchEvent } from '../../../src/api/batch-event.js';
import { followBatch } from '../../../src/batch/run/follow-batch.js';
import { readBatch } from '../../../src/batch/run/read-batch.js';
import { runBatch } from '../../../src/batch/run/run-batch.js';
import { BatchProgress } from '../../../src/cli/batch/batch-progress.js';
import { collectStatus } from '../../../src/cli/batch/collect-status.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { createScriptedProvider } from './scripted-provider.js';

it('a batch tells other processes of a rate limit and of the delay before a retry', async () => {
  const out = join(makeTree(), 'out');
  const provider = createScriptedProvider(({ time }) => {
    return time === 1 ? { error: 'RATE_LIMITED', retryAfterMs: 3_000 } : {};
  });
  const plan = { concurrency: 2, steps: [{ id: 'first', prompt: 'p', retries: 1 }] };
  const running = runBatch(plan, { out, provider, baseDir: makeTree() });
  const delayed = (async () => {
    for await (const { type } of running) if (type === 'step-retry') return;
  })();
  await delayed;
  const read = await readBatch(out);
  expect(await collectStatus(read, Date.now())).toMatchObject({
    limit: 1,
    pausedUntil: expect.any(String),
    retrying: [{ id: 'first', code: 'RATE_LIMITED', attempt: 2 }],
  });
  const watched: BatchEvent[] = [];
  const progress = new BatchProgress(0);
  let rows: readonly number[] = [];
  for await (const { event, atMs } of followBatch(read.folders, new AbortController().signal)) {
    watched.push(event);
    progress.accept(event, atMs);
    // A step that waits for its retry is not at work.
    if (event.type === 'step-retry') rows = [progress.atWork.length, progress.retrying.length];
  }
  await running;
  expect(rows).toEqual([0, 1]);
  const ofType = (type: BatchEvent['type']) => watched.filter((event) => event.type === type);
  expect(ofType('concurrency')).toMatchObject([{ limit: 1 }]);
  expect(ofType('paused')).toHaveLength(1);
  expect(ofType('step-retry')).toMatchObject([
    { stepId: 'first', attempt: 1, code: 'RATE_LIMITED', message: 'RATE_LIMITED by script' },
  ]);
  // Nothing holds up a batch that has ended.
  expect((await collectStatus(await readBatch(out), Date.now())).retrying).toEqual([]);
});
