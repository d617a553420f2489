import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BatchEvent } from '../../../src/api/batch-event.js';
import type { BatchLimits } from '../../../src/api/batch-limits.js';
import type { PlanStep, StepSettings } from '../../../src/api/batch-plan.js';
import type { BatchReport } from '../../../src/api/batch-report.js';
import { runBatch } from '../../../src/batch/run/run-batch.js';
import { batchExitCode } from '../../../src/cli/exit-status.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { type Answer, type Call, createScriptedProvider } from './scripted-provider.js';

function openLab(answer: (call: Call) => Answer = () => ({})) {
  const folder = makeTree();
  const workingDir = join(folder, 'work');
  mkdirSync(workingDir);
  const provider = createScriptedProvider(answer);
  const run = (steps: readonly PlanStep[], limits: BatchLimits = {}) =>
    runBatch(
      { name: 'test', defaults: { workingDir, retries: 0 }, steps },
      { out: join(folder, 'out'), provider, baseDir: folder, concurrency: 1, ...limits },
    );
  const take = (): string[] => provider.calls.splice(0).map(({ prompt }) => prompt);
  return { run, take, provider };
}

const step = (id: string, more: Partial<PlanStep> & StepSettings = {}): PlanStep => ({
  id,
  prompt: id,
  ...more,
});

function states({ steps }: BatchReport): string {
  return steps.map(({ id, state }) => `${id} ${state}`).join(', ');
}

const stepOf = ({ steps }: BatchReport, id: string) => steps.find((one) => one.id === id);

describe('needs of single elements', () => {
  it('let a failed element skip its own dependents only, and fill in its result', async () => {
    const { run, take } = openLab(({ prompt }) =>
      prompt === 'do a' ? { error: 'API_REQUEST' } : { text: `text of ${prompt}` },
    );
    const report = await run([
      step('m', { prompt: 'do {{v}}', for: { v: ['a', 'b'] } }),
      step('t', { prompt: '{{steps.m.text}}', for: { v: ['a', 'b'] }, needs: { each: 'm' } }),
      step('u', { for: { v: ['a', 'b'] }, needs: 't[{{v}}]' }),
    ]);
    expect(states(report)).toBe(
      'm[a] failed, m[b] succeeded, t[a] skipped, t[b] succeeded, u[a] skipped, u[b] succeeded',
    );
    expect(take()).toEqual(['do a', 'do b', 'text of do b', 'u']);
    expect(stepOf(report, 'u[a]')?.skip).toEqual({
      reason: 'need',
      message: 'Step m[a], which it needs, failed',
      stepId: 'm[a]',
    });
  });
});

describe('a condition', () => {
  const steps = (ok: string) => [
    step('check', { prompt: ok, expects: { json: { type: 'object' } } }),
    step('yes', { prompt: 'yes {{steps.check.data.ok}}', when: 'steps.check.data.ok == true' }),
    step('no', { when: 'not steps.check.data.ok' }),
    step('after-no', { needs: 'no' }),
    step('end', {
      prompt: 'end {{steps.no.state}} <{{steps.no.text}}{{steps.no.error}}>',
      needs: ['yes', 'no'],
      when: "steps.yes.state == 'succeeded' or steps.no.state == 'succeeded'",
    }),
  ];
  const answer = ({ prompt }: Call): Answer => ({ data: { ok: prompt === 'good' } });

  it('decides at run time; a skip by condition is no failure', async () => {
    const { run, take } = openLab(answer);
    const report = await run(steps('good'));
    expect(states(report)).toBe(
      'check succeeded, yes succeeded, no skipped, after-no skipped, end succeeded',
    );
    expect(take()).toEqual(['good', 'yes true', 'end skipped <>']);
    expect(report.outcome).toBe('succeeded');
    expect(batchExitCode(report)).toBe(0);
    expect(stepOf(report, 'no')?.skip).toEqual({
      reason: 'condition',
      message: 'The condition is false: not steps.check.data.ok',
    });
    expect(stepOf(report, 'after-no')?.skip).toEqual({
      reason: 'need',
      message: 'Step no, which it needs, was skipped: its condition is false',
      stepId: 'no',
    });
  });

  it('is evaluated again when the batch is resumed', async () => {
    const { run, take } = openLab(answer);
    await run(steps('good'));
    take();
    const same = await run(steps('good'));
    expect(take()).toEqual([]);
    expect([same.outcome, same.counts.skipped]).toEqual(['succeeded', 2]);
    const other = await run(steps('bad'));
    expect(states(other)).toBe(
      'check succeeded, yes skipped, no succeeded, after-no succeeded, end succeeded',
    );
    expect(take()).toEqual(['bad', 'no', 'after-no', 'end succeeded <ok>']);
    const back = await run(steps('good'));
    // Results whose keys match again are reused.
    expect(take()).toEqual(['good', 'end skipped <>']);
    expect(states(back)).toBe(
      'check succeeded, yes succeeded, no skipped, after-no skipped, end succeeded',
    );
  });

  it('on a state runs a step after a failure', async () => {
    const { run, take } = openLab(({ prompt }) => (prompt === 'a' ? { error: 'API_REQUEST' } : {}));
    const report = await run([
      step('a'),
      step('b', { needs: 'a' }),
      step('repair', {
        prompt: 'repair {{steps.a.error}}',
        when: "steps.a.state == 'failed' and steps.b.state == 'skipped'",
      }),
    ]);
    expect(states(report)).toBe('a failed, b skipped, repair succeeded');
    expect(take()).toEqual(['a', 'repair API_REQUEST: API_REQUEST by script']);
    expect(report.outcome).toBe('failed');
  });

  it('of a matrix on the state of a matrix is decided once all its steps are over', async () => {
    const { run } = openLab(({ prompt }) => (prompt === 'do 2' ? { error: 'API_REQUEST' } : {}));
    const v = [1, 2, 3];
    const report = await run([
      step('m', { prompt: 'do {{v}}', for: { v } }),
      step('n', { for: { v }, when: "steps.m.state == 'failed' and v != 3" }),
      step('own', { for: { v }, needs: { each: 'm' }, when: "steps.m.state == 'failed'" }),
    ]);
    expect(states(report)).toBe(
      [
        'm[1] succeeded, m[2] failed, m[3] succeeded',
        'n[1] succeeded, n[2] succeeded, n[3] skipped',
        'own[1] skipped, own[2] succeeded, own[3] skipped',
      ].join(', '),
    );
  });
});

describe('continueOnError', () => {
  it('lets dependents run with an empty result, and does not fail the batch', async () => {
    const { run, take } = openLab(({ prompt }) =>
      prompt === 'a' ? { error: 'API_REQUEST', text: 'half' } : {},
    );
    const report = await run(
      [
        step('a', { continueOnError: true, expects: { json: {} } }),
        step('b', {
          prompt:
            '{{steps.a.state}} <{{steps.a.text}}{{steps.a.files}}{{steps.a.data.x}}> {{steps.a.error}}',
        }),
      ],
      { failFast: true, maxFailures: 1 },
    );
    expect(take()).toEqual(['a', 'failed <> API_REQUEST: API_REQUEST by script']);
    expect(states(report)).toBe('a failed, b succeeded');
    expect([report.outcome, report.counts.failed, report.stop]).toEqual([
      'succeeded',
      1,
      undefined,
    ]);
    expect(batchExitCode(report)).toBe(0);
    expect(stepOf(report, 'a')?.continueOnError).toBe(true);
  });

  it('runs the step again when the batch is resumed, and its dependents if the result differs', async () => {
    let isBroken = true;
    const { run, take } = openLab(({ prompt }) =>
      prompt === 'a' && isBroken ? { error: 'API_REQUEST' } : {},
    );
    const steps = [step('a', { continueOnError: true }), step('b', { needs: 'a' })];
    await run(steps);
    take();
    await run(steps);
    expect(take()).toEqual(['a']);
    isBroken = false;
    await run(steps);
    expect(take()).toEqual(['a', 'b']);
  });

  it('does not keep a batch going without a login', async () => {
    const { run } = openLab(() => ({ error: 'AUTH' }));
    const report = await run([step('a', { continueOnError: true }), step('b')]);
    expect([report.stop?.reason, states(report)]).toEqual(['AUTH', 'a failed, b pending']);
  });
});

describe('a fallback model', () => {
  const modelOf = ({ options }: Call): unknown => Reflect.get(Object(options), 'model');

  it('is tried after the retries of the model before it, and the batch goes on', async () => {
    const models: unknown[] = [];
    const events: BatchEvent[] = [];
    const { run, take } = openLab((call) => {
      models.push(modelOf(call));
      if (modelOf(call) === 'pro') return { error: 'QUOTA_EXHAUSTED' };
      return modelOf(call) === 'flash' ? { error: 'RATE_LIMITED', retryAfterMs: 1 } : {};
    });
    const steps = [
      step('a', { model: 'pro', fallbackModel: ['flash', 'lite'], retries: 1 }),
      step('b', { model: 'lite', needs: 'a' }),
    ];
    const batch = run(steps);
    for await (const event of batch) events.push(event);
    const report = await batch;
    expect(models).toEqual(['pro', 'flash', 'flash', 'lite', 'lite']);
    expect([report.outcome, report.stop]).toEqual(['succeeded', undefined]);
    expect(stepOf(report, 'a')?.attempts.map(({ model, outcome }) => [model, outcome])).toEqual([
      ['pro', 'QUOTA_EXHAUSTED'],
      ['flash', 'RATE_LIMITED'],
      ['flash', 'RATE_LIMITED'],
      ['lite', 'succeeded'],
    ]);
    const retries = events.flatMap((event) => (event.type === 'step-retry' ? [event.model] : []));
    expect(retries).toEqual(['flash', undefined, 'lite']);
    // The key of the step does not depend on the model that succeeded.
    take();
    await run(steps);
    expect(take()).toEqual([]);
  });

  it('does not help after an error of the step itself, and the last one may stop the batch', async () => {
    const { run, provider } = openLab(({ prompt }) => ({
      error: prompt === 'a' ? 'API_REQUEST' : 'QUOTA_EXHAUSTED',
    }));
    const report = await run([
      step('a', { fallbackModel: 'flash' }),
      step('b', { fallbackModel: 'flash' }),
      step('c'),
    ]);
    expect(provider.calls.map((call) => [call.prompt, modelOf(call)])).toEqual([
      ['a', undefined],
      ['b', undefined],
      ['b', 'flash'],
    ]);
    expect(report.stop?.reason).toBe('QUOTA_EXHAUSTED');
  });
});
