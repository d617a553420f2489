import { expect, it } from 'vitest';
import type { BatchEvent } from '../../../src/api/batch-event.js';
import type { ChangeSet, MergeOutcome } from '../../../src/batch/isolation/isolated-workspace.js';
import { MergeOrder } from '../../../src/batch/run/merge-order.js';
import { MergeQueue } from '../../../src/batch/run/merge-queue.js';
import { plannedStep } from './pieces.js';

const MERGED: MergeOutcome = { merged: true, paths: [], notes: [] };

function changesAt(targets: readonly string[], merge: () => Promise<MergeOutcome>): ChangeSet {
  return {
    id: 'id',
    savedId: undefined,
    targets,
    notes: [],
    toOriginal: (path) => path,
    mergeBack: merge,
    mergeLocked: merge,
    compareMerged: async () => 'same',
    keepMerge: async () => {},
    keepPatch: async () => undefined,
    drop: async () => {},
    dispose: async () => {},
  };
}

function openQueue(checkLease?: () => Promise<void>) {
  const events: BatchEvent[] = [];
  const queue = new MergeQueue({
    order: new MergeOrder([], 'finish'),
    checkLease,
    emit: (event) => events.push(event),
  });
  const log: string[] = [];
  const merge = (index: number, targets: readonly string[], fails = false) => {
    const step = plannedStep(index, [], 'worktree');
    const changes = changesAt(targets, async () => {
      log.push(`merge ${step.id}`);
      if (fails) throw new Error('disk');
      return MERGED;
    });
    const complete = async ({ status }: PromiseSettledResult<MergeOutcome>) => {
      await new Promise(setImmediate);
      log.push(`${status} ${step.id}`);
    };
    return queue.merge({
      step,
      changes,
      cancel: new AbortController().signal,
      patchFile: 'p',
      complete,
    });
  };
  return { merge, log, events };
}

it('steps that wait while a merge is under way are merged together, if their paths are disjoint', async () => {
  const { merge, log, events } = openQueue();
  await Promise.all([
    merge(0, ['/w/a']),
    merge(1, ['/w/b']),
    merge(2, ['/w/b/c']),
    merge(3, ['/w/d'], true),
    merge(4, ['/w/b/c', '/w/e']),
  ]);
  expect(log).toEqual([
    ...['merge s0', 'fulfilled s0'],
    ...['merge s1', 'merge s3', 'fulfilled s1', 'rejected s3'],
    ...['merge s2', 'fulfilled s2'],
    ...['merge s4', 'fulfilled s4'],
  ]);
  const waiting = events.filter((event) => event.type === 'step-waiting');
  expect(waiting.filter(({ waitsFor }) => waitsFor === 'merge')).toMatchObject(
    [1, 2, 3, 4].map((index) => ({ stepId: `s${index}`, behind: 's0' })),
  );
  expect(waiting.filter(({ waitsFor }) => waitsFor === 'merging')).toHaveLength(5);
});

it('a step that overlaps with a waiting one does not overtake it', async () => {
  const { merge, log } = openQueue();
  await Promise.all([
    merge(0, ['/w/a']),
    merge(1, ['/w/x', '/w/y']),
    merge(2, ['/w/y', '/w/z']),
    merge(3, ['/w/z']),
  ]);
  const merges = log.filter((line) => line.startsWith('merge'));
  expect(merges).toEqual(['merge s0', 'merge s1', 'merge s2', 'merge s3']);
});

it('no step is merged after the lease is lost', async () => {
  const { merge, log } = openQueue(() => Promise.reject(new Error('overtaken')));
  await expect(merge(0, ['/w/a'])).rejects.toThrow('overtaken');
  expect(log).toEqual([]);
});
