import { expect, it } from 'vitest';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import type { IsolatedWorkspace } from '../../../src/batch/isolation/isolated-workspace.js';
import { mergeAttempt } from '../../../src/batch/run/merge-attempt.js';
import { createScriptedProvider } from './scripted-provider.js';

const full = new ProviderError({ code: 'INVALID_INPUT', message: 'no space', hint: 'Free some.' });

function workspaceThat(fails: unknown, keptIn: string | undefined): IsolatedWorkspace {
  return {
    kind: 'copy',
    id: 'id',
    dir: '/isolated',
    notes: [],
    toIsolated: (path) => path,
    toOriginal: (path) => path,
    mergeBack: () => Promise.reject(fails),
    compareMerged: async () => 'same',
    keepMerge: () => {},
    keepPatch: async () => keptIn,
    dispose: async () => {},
  };
}

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
    const success = { result: await resultOfStep(), workspace: workspaceThat(fails, keptIn) };
    await expect(mergeAttempt(success, '/w', '/kept')).rejects.toMatchObject({
      ...expected,
      sessionId: 'session',
      partial: { text: 'all that was said', usage: { total: 7 } },
    });
  },
);
