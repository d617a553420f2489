import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { BatchReport } from '../../../src/api/batch-report.js';
import { runBatch } from '../../../src/batch/run/run-batch.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { keepEntries } from './edit-ledger.js';
import { type Answer, type Call, createScriptedProvider } from './scripted-provider.js';

function openLab(answer: (call: Call) => Answer) {
  const folder = makeTree({ 's/1.js': '1', 's/2.js': '2' });
  const out = join(makeTree(), 'out');
  const provider = createScriptedProvider(answer);
  const begin = (pattern = 's/*.js', fresh = false) => {
    const convert = { id: 'c', prompt: '{{file}}', for: { file: pattern } };
    const tell = { id: 'tell', prompt: 'Tell: {{steps.c.text}}', needs: ['c'] };
    const plan = { concurrency: 1, defaults: { workingDir: folder }, steps: [convert, tell] };
    return runBatch(plan, { out, provider, fresh });
  };

  return { folder, out, provider, begin };
}

function statesOf({ steps }: BatchReport): string[] {
  return steps.map(({ id, state, reused }) => `${id} ${reused ? 'reused' : state}`);
}

it('a resumed batch keeps steps of a pattern that have removed their own file', async () => {
  let isExhausted = true;
  const { begin, provider } = openLab(({ prompt }) => {
    if (isExhausted && prompt === 's/2.js') return { error: 'QUOTA_EXHAUSTED' };
    if (prompt.startsWith('Tell')) return {};
    return { text: `did ${prompt}`, write: { [prompt]: null, [`${prompt}.ts`]: 't' } };
  });
  expect(statesOf(await begin())).toEqual([
    'c[s/1.js] succeeded',
    'c[s/2.js] failed',
    'tell skipped',
  ]);
  isExhausted = false;
  const resumed = await begin();
  expect(statesOf(resumed)).toEqual(['c[s/1.js] reused', 'c[s/2.js] succeeded', 'tell succeeded']);
  expect(provider.calls.at(-1)?.prompt).toBe('Tell: did s/1.js\n\ndid s/2.js');
  expect(resumed.files.map(({ path }) => path)).toContain('s/1.js.ts');
  expect(statesOf(await begin())).toEqual(['c[s/1.js] reused', 'c[s/2.js] reused', 'tell reused']);
});

it('a resumed batch runs a step again that was killed after it removed its own file', async () => {
  const { begin, out, folder } = openLab(() => ({}));
  await begin();
  keepEntries(out, (entry) => {
    const isFirst = 'step' in entry && entry.step === 'c[s/1.js]';
    return !isFirst || !['attempt', 'done'].includes(entry.type);
  });
  rmSync(join(folder, 's/1.js'));
  expect(statesOf(await begin())[0]).toBe('c[s/1.js] succeeded');
  expect(statesOf(await begin())[0]).toBe('c[s/1.js] reused');
});

it('a resumed batch adds steps for files of the user, not for files that its steps created', async () => {
  const { begin, folder } = openLab(({ prompt }) => {
    return prompt.endsWith('.js') ? { write: { [prompt.replace('.js', '.test.js')]: 't' } } : {};
  });
  await begin();
  expect(statesOf(await begin())).toEqual(['c[s/1.js] reused', 'c[s/2.js] reused', 'tell reused']);
  writeFileSync(join(folder, 's/3.js'), '3');
  rmSync(join(folder, 's/1.js'));
  expect(statesOf(await begin())).toEqual([
    'c[s/2.js] reused',
    'c[s/3.js] succeeded',
    'tell succeeded',
  ]);
});

it('a batch adds steps for its own files if the pattern is new or the batch starts fresh', async () => {
  const { begin } = openLab(({ prompt }) => {
    return prompt.endsWith('.js') ? { write: { [prompt.replace('.js', '.ts')]: 't' } } : {};
  });
  await begin();
  expect(statesOf(await begin('s/*.ts')).slice(0, 2)).toEqual([
    'c[s/1.ts] succeeded',
    'c[s/2.ts] succeeded',
  ]);
  expect(statesOf(await begin('s/*', true))).toHaveLength(5);
});
