import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ManifestFile } from '../../../src/api/manifest.js';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import type {
  ChangeSet,
  MergedState,
  MergeOutcome,
} from '../../../src/batch/isolation/isolated-workspace.js';
import { checkMerge } from '../../../src/batch/run/merge-attempt.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { createScriptedProvider } from './scripted-provider.js';

const full = new ProviderError({ code: 'INVALID_INPUT', message: 'no space', hint: 'Free some.' });

function changesKeptIn(keptIn: string | undefined, state: MergedState = 'same'): ChangeSet {
  return {
    id: 'id',
    savedId: undefined,
    targets: [],
    notes: [],
    toOriginal: (path) => path,
    mergeBack: () => Promise.reject(new Error('not called')),
    mergeLocked: () => Promise.reject(new Error('not called')),
    compareMerged: async () => state,
    keepMerge: async () => {},
    keepPatch: async () => keptIn,
    drop: async () => {},
    dispose: async () => {},
  };
}

function fulfilled(value: MergeOutcome): PromiseSettledResult<MergeOutcome> {
  return { status: 'fulfilled', value };
}

/** Verifies one file of the manifest that differs from the tree of the user. */
async function verify(state: MergedState, file: Partial<ManifestFile>) {
  const dir = makeTree({ 'a.txt': 'on the disk\n' });
  const reported = {
    path: 'a.txt',
    absolutePath: join(dir, 'a.txt'),
    kind: 'modified' as const,
    tools: [],
    toolIds: [],
    bytes: 1,
    sha256After: 'reported',
    confirmed: true,
    outsideWorkspace: false,
    ...file,
  };
  const result = { ...(await resultOfStep()), files: [reported] };
  const merged = fulfilled({ merged: true, paths: ['a.txt'], notes: [] });
  const changes = changesKeptIn('/kept', state);
  const keptPatch = join(makeTree(), 'kept');
  return checkMerge(merged, { result, changes, workingDir: dir, keptPatch });
}

it.each([
  ['combined', {}, true],
  ['changed-since', {}, false],
  ['not-merged', {}, false],
  ['different', { kind: 'unchanged' }, false],
  ['same', { sha256After: undefined }, false],
] as const)('a file that is %s after the merge is accepted', async (state, file, confirmed) => {
  const { files, warnings } = await verify(state, file);
  expect(files).toMatchObject([{ path: 'a.txt', confirmed, bytes: 12 }]);
  expect(warnings).toHaveLength(state === 'not-merged' ? 1 : 0);
});

it.each([
  ['different', {}],
  ['same', {}],
  ['same', { kind: 'deleted', sha256After: undefined }],
] as const)('a file that is %s and not as reported fails the step', async (state, file) => {
  await expect(verify(state, file)).rejects.toMatchObject({
    code: 'EXPECTATION_FAILED',
    missing: [{ kind: 'merge', paths: ['a.txt'] }],
    partial: { text: 'all that was said' },
  });
});

it('a merge that could not be verified is described as such', async () => {
  const outcome = fulfilled({
    merged: false,
    conflicts: [{ path: 'a.txt', reason: 'unverified' }],
    patchFile: '/kept',
    notes: [],
  });
  const result = await resultOfStep();
  const merge = { result, changes: changesKeptIn(undefined), workingDir: '/w', keptPatch: '/kept' };
  await expect(checkMerge(outcome, merge)).rejects.toMatchObject({
    code: 'EXPECTATION_FAILED',
    message: 'Merged files are not on the disk as the step left them: a.txt',
  });
});

async function resultOfStep() {
  const provider = createScriptedProvider(() => ({ text: 'all that was said', tokens: 7 }));
  for await (const event of provider.stream('x', {}, { workingDir: '/' })) {
    if (event.type === 'turn-complete' && event.result !== undefined) return event.result;
  }
  throw new Error('no result');
}

it.each([
  [full, '/kept', { code: 'INVALID_INPUT', hint: 'Free some. The changes are kept in /kept.' }],
  [full, undefined, { code: 'INVALID_INPUT', hint: 'Free some. There are no changes to keep.' }],
  [new Error('odd'), '/kept', { code: 'UNKNOWN', hint: 'The changes are kept in /kept.' }],
])(
  'a failed merge throws an error with the result of the step and the path of its patch',
  async (fails, keptIn, expected) => {
    const result = await resultOfStep();
    const changes = changesKeptIn(keptIn);
    const merge = { result, changes, workingDir: '/w', keptPatch: '/kept' };
    const outcome = { status: 'rejected' as const, reason: fails };
    await expect(checkMerge(outcome, merge)).rejects.toMatchObject({
      ...expected,
      sessionId: 'session',
      partial: { text: 'all that was said', usage: { total: 7 } },
    });
  },
);
