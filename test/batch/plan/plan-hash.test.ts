import { describe, expect, it } from 'vitest';
import type { BatchPlan } from '../../../src/api/batch-plan.js';
import { expandPlan } from '../../../src/batch/plan/expand-plan.js';
import { addFiles, makeFolder } from '../../fixtures/cli/support.js';

const PLAN: BatchPlan = {
  concurrency: 2,
  vars: { a: 1, b: 2 },
  defaults: { model: 'flash', timeout: 5 },
  steps: [
    { id: 'a', promptFile: 'a.md', workingDir: 'sub', expects: { json: { a: 1, b: [2] } } },
    { id: 'b', prompt: '{{a}}', for: { f: '*.md' }, needs: ['a'], env: { X: 'y', Z: 'w' } },
  ],
};
const FILES = { 'a.md': 'hello', 'sub/x': '' };

async function hash(plan: BatchPlan, files = FILES): Promise<string> {
  return (await expandPlan(plan, { baseDir: makeFolder(files) })).hash;
}

/** Returns the plan with changed keys of one step. */
const change = (id: string, keys: object): BatchPlan => ({
  ...PLAN,
  steps: PLAN.steps.map((step) => (step.id === id ? { ...step, ...keys } : step)),
});

function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reverseKeys(inner)]),
  );
}

describe('the hash of a plan', () => {
  it('is the same in another folder, under another name, and with keys in another order', async () => {
    const expected = await hash(PLAN);
    expect(await hash({ ...PLAN, name: 'other' })).toBe(expected);
    const reversed = reverseKeys(PLAN);
    // @ts-expect-error: `reverseKeys` returns unknown
    expect(await hash(reversed)).toBe(expected);
  });

  it('is the same after inputs match more files', async () => {
    const baseDir = makeFolder(FILES);
    const plan = change('a', { inputs: ['out/*.txt'] });
    const before = await expandPlan(plan, { baseDir });
    addFiles(baseDir, { 'sub/out/new.txt': 'x' });
    const after = await expandPlan(plan, { baseDir });
    expect(after.steps[0]?.inputs).toHaveLength(1);
    expect(after.hash).toBe(before.hash);
  });

  it.each([
    ['a limit', { ...PLAN, concurrency: 3 }, FILES],
    ['a variable in use', { ...PLAN, vars: { a: 2 } }, FILES],
    ['a default', { ...PLAN, defaults: { model: 'pro', timeout: 5 } }, FILES],
    ['the text of a prompt file', PLAN, { ...FILES, 'a.md': 'hello!' }],
    ['a file of a matrix', PLAN, { ...FILES, 'b.md': 'x' }],
    ['a schema', change('a', { expects: { json: { a: 1, b: [3] } } }), FILES],
    ['a working directory', change('a', { workingDir: '.' }), FILES],
    ['an id', { ...PLAN, steps: [{ id: 'c', prompt: 'x' }, ...PLAN.steps] }, FILES],
    ['a need', change('b', { needs: [] }), FILES],
    ['retries', change('a', { retries: 0 }), FILES],
    ['repair', change('a', { repair: 1 }), FILES],
    ['isolation', change('a', { isolation: 'copy' }), FILES],
    ['inputs', change('a', { inputs: ['x'] }), FILES],
  ])('changes with %s', async (_name, plan, files) => {
    expect(await hash(plan, files)).not.toBe(await hash(PLAN));
  });
});
