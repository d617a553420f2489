import { expect, it } from 'vitest';
import type { HostedChanges } from '../../../../src/batch/isolation/remote/host-methods.js';
import {
  type ChangesHost,
  mergeRemote,
  RemoteChangeSet,
} from '../../../../src/batch/isolation/remote/remote-change-set.js';
import { makeTree } from '../../../base/fs/make-tree.js';

const MERGED = { merged: true as const, paths: ['a.txt'], notes: [] };

/** A host that notes its calls, and answers merges with these answers. */
function scriptedHost(answers: readonly object[]) {
  const calls: unknown[] = [];
  const host: ChangesHost = {
    // @ts-expect-error: the answers of single methods.
    call: async (method, ...args) => {
      calls.push([method, ...args]);
      return method === 'mergeTogether' ? answers : undefined;
    },
    remove: (key) => void calls.push(['remove', key]),
  };
  return { host, calls };
}

function changesOf(host: ChangesHost, key: number): RemoteChangeSet {
  const folders = { root: '/r', tree: '/t', workspaceDir: '/r/sub', dir: '/t/sub' };
  const hosted: HostedChanges = {
    id: `id${key}`,
    stateDir: makeTree(),
    savedId: undefined,
    targets: [],
    notes: ['a note'],
    folders,
  };
  return new RemoteChangeSet(host, key, hosted);
}

it('merges steps of one host in one call, and gives each its own end in the order of the requests', async () => {
  const one = scriptedHost([{ value: MERGED }, { error: 'the disk failed' }]);
  const other = scriptedHost([{ value: { ...MERGED, paths: [] } }]);
  const sets = [changesOf(one.host, 1), changesOf(other.host, 2), changesOf(one.host, 3)];
  const requests = sets.map((changes) => ({ changes, patchFile: `p${changes.key}` }));
  const ends = await mergeRemote(requests);
  expect(ends).toMatchObject([
    { status: 'fulfilled', value: MERGED },
    { status: 'fulfilled', value: { paths: [] } },
    { status: 'rejected', reason: { message: 'the disk failed' } },
  ]);
  expect(one.calls).toEqual([
    [
      'mergeTogether',
      [
        { key: 1, patchFile: 'p1' },
        { key: 3, patchFile: 'p3' },
      ],
    ],
  ]);
});

it('throws what the merge of a single step has failed with, and an answer that is missing', async () => {
  const refused = scriptedHost([{ error: 'the disk failed' }]);
  await expect(changesOf(refused.host, 1).mergeBack('p')).rejects.toThrow('the disk failed');
  const silent = scriptedHost([]);
  expect(await mergeRemote([{ changes: changesOf(silent.host, 1), patchFile: 'p' }])).toEqual([]);
});

it('is removed from its host once, also when the host has gone', async () => {
  const { host, calls } = scriptedHost([]);
  const set = changesOf(host, 4);
  await set.dispose();
  await set.dispose();
  expect(calls).toEqual([
    ['dispose', 4],
    ['remove', 4],
  ]);
  const gone: ChangesHost = { ...host, call: () => Promise.reject(new Error('has ended')) };
  await expect(changesOf(gone, 5).dispose()).rejects.toThrow('has ended');
  expect(calls.at(-1)).toEqual(['remove', 5]);
  await expect(set.drop()).resolves.toBeUndefined();
  expect([set.id, set.notes]).toEqual(['id4', ['a note']]);
});
