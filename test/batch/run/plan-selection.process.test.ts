import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BatchEvent } from '../../../src/api/batch-event.js';
import type { BatchOptions } from '../../../src/api/batch-options.js';
import type { PlanStep, StepSettings } from '../../../src/api/batch-plan.js';
import type { BatchReport } from '../../../src/api/batch-report.js';
import { expandPlan } from '../../../src/batch/plan/expand-plan.js';
import { planRun } from '../../../src/batch/run/plan-run.js';
import { readBatch } from '../../../src/batch/run/read-batch.js';
import { runBatch } from '../../../src/batch/run/run-batch.js';
import { describeBatchEvent } from '../../../src/cli/batch/batch-lines.js';
import { BatchProgress } from '../../../src/cli/batch/batch-progress.js';
import { collectStatus } from '../../../src/cli/batch/collect-status.js';
import { createPaint } from '../../../src/cli/output/paint.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { LINES, makeRepository } from '../isolation/support.js';
import { type Answer, type Call, createScriptedProvider } from './scripted-provider.js';

type Options = Pick<BatchOptions, 'only' | 'from' | 'skip' | 'retryFailed'>;
type Vars = Readonly<Record<string, string>>;

function openLab(answer: (call: Call) => Answer = () => ({}), folder = makeTree()) {
  const out = join(makeTree(), 'out');
  const provider = createScriptedProvider(answer);
  const options = { out, provider, concurrency: 1 };
  const expand = (steps: readonly PlanStep[], vars: Vars) => {
    const defaults = { workingDir: folder, retries: 0 };
    return expandPlan({ name: 'test', vars, defaults, steps }, { baseDir: folder });
  };
  /** Foresees a run, runs it, and expects that both agree. Returns its report, the prompts and the events. */
  const run = async (steps: readonly PlanStep[], more: Options = {}, vars: Vars = {}) => {
    const plan = await expand(steps, vars);
    const { outlook } = await planRun(plan, { ...options, ...more });
    const batch = runBatch(plan, { ...options, ...more });
    const events: BatchEvent[] = [];
    for await (const event of batch) events.push(event);
    const report = await batch;
    const started = new Set(
      events.flatMap((event) => (event.type === 'step-started' ? [event.stepId] : [])),
    );
    for (const { id, action } of outlook.steps) {
      if (action === 'run') expect([id, started.has(id)]).toEqual([id, true]);
      if (action === 'skip' || action === 'reuse') {
        expect([id, started.has(id)]).toEqual([id, false]);
      }
    }
    const actions = outlook.steps.map(({ id, action }) => `${id} ${action}`).join(', ');
    const prompts = provider.calls.splice(0).map(({ prompt }) => prompt);
    return { report, events, actions, prompts, states: states(report) };
  };
  return { run, out };
}

const step = (id: string, more: Partial<PlanStep> & StepSettings = {}): PlanStep => ({
  id,
  prompt: id,
  ...more,
});

function states({ steps }: BatchReport): string {
  return steps.map(({ id, state }) => `${id} ${state}`).join(', ');
}

describe('conditions in a selection', () => {
  const STEPS = [
    step('check'),
    step('fix', { when: "mode == 'fix'", needs: 'check' }),
    step('last', { needs: 'fix' }),
  ];
  const OFF = { mode: 'off' };
  const FIX = { mode: 'fix' };

  it('skip a selected step that needs a step whose condition is false', async () => {
    const { run } = openLab();
    const first = await run(STEPS, { only: 'last' }, OFF);
    expect(first.actions).toBe('check run, fix skip, last skip');
    expect(first.states).toBe('check succeeded, fix skipped, last skipped');
  });

  it('are checked again for a needed step that the last run has skipped', async () => {
    const { run } = openLab();
    await run(STEPS, {}, FIX);
    const off = await run(STEPS, {}, OFF);
    expect(off.states).toBe('check succeeded, fix skipped, last skipped');
    expect(off.report.outcome).toBe('succeeded');
    // The result of the first run is still in the ledger. The last run has decided that it does not count.
    const only = await run(STEPS, { only: 'last' }, OFF);
    expect(only.states).toBe('check succeeded, fix skipped, last skipped');
    expect(only.report.warnings).toMatchObject([{ code: 'NEEDS_ADDED', steps: ['fix'] }]);
    const on = await run(STEPS, { only: 'last' }, FIX);
    expect(on.states).toBe('check succeeded, fix succeeded, last succeeded');
    expect(on.prompts).toEqual([]);
  });

  it('leave nothing to retry', async () => {
    const { run } = openLab();
    await run(STEPS, {}, OFF);
    const { actions, report } = await run(STEPS, { retryFailed: true }, OFF);
    expect(actions).toBe('check skip, fix skip, last skip');
    expect(report.outcome).toBe('succeeded');
  });

  it('that ask for the result of a step that runs leave open what happens', async () => {
    const { run } = openLab(({ prompt }) => ({ text: prompt === 'check' ? 'bad' : '' }));
    const asking = [
      step('check'),
      step('fix', { when: "steps.check.text == 'bad'" }),
      step('praise', { when: "steps.check.text == 'good'" }),
      step('last', { needs: 'praise' }),
    ];
    const first = await run(asking);
    expect(first.actions).toBe('check run, fix may run, praise may run, last may run');
    expect(first.states).toBe('check succeeded, fix succeeded, praise skipped, last skipped');
    const second = await run(asking);
    expect(second.actions).toBe('check reuse, fix reuse, praise skip, last skip');
  });

  it('hold for the steps of `from`', async () => {
    const { run } = openLab();
    await run(STEPS, {}, FIX);
    const { states: after, actions } = await run(STEPS, { from: 'fix' }, OFF);
    expect(actions).toBe('check skip, fix skip, last skip');
    expect(after).toBe('check succeeded, fix skipped, last skipped');
  });
});

describe('steps with `continueOnError` in a selection', () => {
  it('are tried again with a step that needs them, and by a retry of what has failed', async () => {
    let isBroken = true;
    const { run, out } = openLab(({ prompt }) => {
      return prompt === 'lint' && isBroken ? { error: 'TOOL_FAILED' } : {};
    });
    const steps = [
      step('lint', { continueOnError: true }),
      step('next', { needs: 'lint', prompt: 'next {{steps.lint.state}}' }),
    ];
    const first = await run(steps);
    expect(first.states).toBe('lint failed, next succeeded');
    expect(first.report.outcome).toBe('succeeded');
    const { counts, failures } = await collectStatus(await readBatch(out), Date.now());
    expect(counts).toMatchObject({ failed: 1, succeeded: 1 });
    expect(failures).toMatchObject([{ id: 'lint', code: 'TOOL_FAILED' }]);
    isBroken = false;
    const retried = await run(steps, { retryFailed: true });
    expect(retried.prompts).toEqual(['lint']);
    // The step that was left out still has the result that it made after the failure.
    expect(retried.states).toBe('lint succeeded, next succeeded');
    expect((await run(steps)).prompts).toEqual(['next succeeded']);
  });
});

describe('needs of single elements in a selection', () => {
  const STEPS = [
    step('m', { prompt: 'make {{f}}', for: { f: ['a', 'b'] } }),
    step('t', { prompt: 'test {{steps.m.text}}', for: { f: ['a', 'b'] }, needs: { each: 'm' } }),
  ];

  it('add the needed element alone, and `from` an element runs its own dependents', async () => {
    const { run } = openLab(({ prompt }) => ({ text: prompt.toUpperCase() }));
    const only = await run(STEPS, { only: 't[b]' });
    expect(only.prompts).toEqual(['make b', 'test MAKE B']);
    expect(only.states).toBe('m[a] skipped, m[b] succeeded, t[a] skipped, t[b] succeeded');
    const from = await run(STEPS, { from: 'm[a]' });
    expect(from.actions).toBe('m[a] run, m[b] skip, t[a] run, t[b] skip');
    expect(from.prompts).toEqual(['make a', 'test MAKE A']);
    expect((await run(STEPS)).prompts).toEqual([]);
  });
});

describe('a fallback model', () => {
  it('is not tried after a merge conflict', async () => {
    const { folder } = makeRepository({ 'a.txt': LINES });
    const { run } = openLab(() => {
      writeFileSync(join(folder, 'a.txt'), LINES.replace('one', 'theirs'));
      return { write: { 'a.txt': LINES.replace('one', 'ours') } };
    }, folder);
    const { report, prompts } = await run([
      step('x', { isolation: 'worktree', fallbackModel: 'other', retries: 2 }),
    ]);
    expect(prompts).toEqual(['x']);
    expect(report.steps[0]).toMatchObject({
      state: 'failed',
      error: { code: 'EXPECTATION_FAILED' },
      attempts: [{ number: 1, outcome: 'EXPECTATION_FAILED' }],
    });
  });

  it('is named in events, lines and report, and its result is reused', async () => {
    const { run } = openLab(({ options }) => {
      const model = Reflect.get(Object(options), 'model');
      return model === 'other' ? { text: 'done' } : { error: 'MODEL_NOT_FOUND' };
    });
    const steps = [step('x', { model: 'first', fallbackModel: 'other' })];
    const { events, report } = await run(steps);
    expect(report.steps[0]?.attempts).toMatchObject([
      { model: 'first', reason: 'new' },
      { model: 'other', reason: 'retry' },
    ]);
    const progress = new BatchProgress(0, { retriesOf: () => 0 });
    const lines = events.flatMap((event) => {
      progress.accept(event, 0);
      return describeBatchEvent(event, createPaint(false), progress) ?? [];
    });
    expect(lines).toContainEqual(expect.stringMatching(/^↻ x .* \(attempt 2 with other in 0/));
    expect(lines).toContain('→ x attempt 2 with other');
    const again = await run(steps);
    expect(again.actions).toBe('x reuse');
    expect(again.prompts).toEqual([]);
  });
});
