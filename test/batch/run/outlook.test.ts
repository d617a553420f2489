import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PlanStep } from '../../../src/api/batch-plan.js';
import { expandPlan } from '../../../src/batch/plan/expand-plan.js';
import { describeOutlook } from '../../../src/batch/run/describe-outlook.js';
import { planRun } from '../../../src/batch/run/plan-run.js';
import { runBatch } from '../../../src/batch/run/run-batch.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { createScriptedProvider } from './scripted-provider.js';

function openLab() {
  const baseDir = makeTree({ 'a.js': '1', 'b.js': '1' });
  const out = join(makeTree(), 'out');
  const provider = createScriptedProvider(({ prompt }) => {
    return prompt.startsWith('bad') ? { error: 'TOOL_FAILED' } : { text: prompt };
  });
  const options = { out, provider, state: makeTree() };
  const expand = (steps: readonly PlanStep[]) => expandPlan({ name: 'n', steps }, { baseDir });
  const describePlanned = async (steps: readonly PlanStep[], more = {}) => {
    const plan = await expand(steps);
    const { outlook } = await planRun(plan, { ...options, ...more });
    return describeOutlook(plan, outlook, { approvalMode: 'yolo' }).join('\n');
  };
  const run = async (steps: readonly PlanStep[]) => runBatch(await expand(steps), options);
  return { baseDir, run, describePlanned, provider };
}

const STEPS: readonly PlanStep[] = [
  { id: 'types', prompt: 'types' },
  {
    id: 'convert',
    for: { file: '*.js' },
    prompt: 'convert {{file}}',
    needs: ['types'],
    timeout: 5,
  },
  { id: 'bad', prompt: 'bad', retries: 0 },
  { id: 'last', prompt: 'last {{steps.types.text}}' },
];

describe('the outlook of a run', () => {
  it('is that everything runs, before the first run', async () => {
    const { describePlanned } = openLab();
    const text = await describePlanned(STEPS);
    expect(text).toContain('n: 5 steps · 5 run\nsettings of all steps: approvalMode yolo');
    expect(text).toContain('convert[…] × 2: run (new)\n    timeout 5');
    expect(await describePlanned(STEPS, { only: 'bad' })).toContain('types: skip (not selected)');
    expect(await describePlanned(STEPS, { only: 'last' })).toMatch(/Not selected, .*: types$/);
  });

  it('names what steps expect, and nothing that they do not expect', async () => {
    const { describePlanned } = openLab();
    const expects = { files: 'a.md' };
    const steps: readonly PlanStep[] = [
      { id: 'one', prompt: 'one', expects },
      { id: 'many', for: { file: '*.js' }, prompt: 'many', expects },
    ];
    const text = await describePlanned(steps);
    expect(text).toContain('one: run (new)\n    expects files a.md (1 or more)\n');
    expect(text).toMatch(/many\[…\] × 2: run \(new\)\n {4}expects files$/);
  });

  it('names what has changed since the last run, folds matrices, and matches what then runs', async () => {
    const { baseDir, run, describePlanned, provider } = openLab();
    await run(STEPS);
    writeFileSync(join(baseDir, 'b.js'), '2');
    const text = await describePlanned(STEPS);
    expect(text).toContain('convert[…] × 2: 1 reuse, 1 run (input changed: b.js)');
    expect(text).toContain('bad: run (failed before)');
    expect(text).toContain('last: reuse');
    provider.calls.length = 0;
    const report = await run(STEPS);
    expect(provider.calls.map(({ prompt }) => prompt).sort()).toEqual(['bad', 'convert b.js']);
    const rerun = report.steps.find(({ id }) => id === 'convert[b.js]');
    expect(rerun?.attempts.at(-1)).toMatchObject({
      reason: 'inputs',
      changed: [join(baseDir, 'b.js')],
    });
  });

  it('says that a step may run if a step that it needs runs', async () => {
    const { run, describePlanned } = openLab();
    await run(STEPS);
    const changed = STEPS.map((step) =>
      step.id === 'types' ? { ...step, prompt: 'other' } : step,
    );
    const text = await describePlanned(changed);
    expect(text).toContain('types: run (prompt changed)');
    expect(text).toContain('convert[…] × 2: may run (depends on types)');
    const more = changed.map((step) => (step.id === 'last' ? { ...step, model: 'm' } : step));
    expect(await describePlanned(more)).toContain('last: run (configuration changed: model)');
  });

  it('finds folders that cannot be used', async () => {
    const { baseDir } = openLab();
    const plan = await expandPlan({ steps: STEPS }, { baseDir });
    const provider = createScriptedProvider(() => ({}));
    const out = join(baseDir, 'a.js', 'out');
    const { causes } = await planRun(plan, { out, state: join(baseDir, 'state'), provider });
    expect(causes.map(({ message }) => message)).toEqual([
      expect.stringContaining('lies inside of'),
      expect.stringContaining('is not a writable folder'),
    ]);
  });
});
