import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BatchEvent } from '../../../src/api/batch-event.js';
import type { BatchOptions } from '../../../src/api/batch-options.js';
import type { PlanStep } from '../../../src/api/batch-plan.js';
import type { BatchReport } from '../../../src/api/batch-report.js';
import { runBatch } from '../../../src/batch/run/run-batch.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { keepEntries, ledgerOf } from './edit-ledger.js';
import { type Answer, type Call, createScriptedProvider } from './scripted-provider.js';

type Answers = (call: Call) => Answer | Promise<Answer>;

function openLab(answer: Answers = () => ({})) {
  const folder = makeTree();
  const provider = createScriptedProvider(answer);
  const out = join(folder, 'out');
  const workingDir = join(folder, 'work');
  mkdirSync(workingDir);
  const begin = (steps: readonly PlanStep[], options: BatchOptions = {}) => {
    const plan = { name: 'test', defaults: { workingDir }, steps };
    return runBatch(plan, { out, provider, baseDir: folder, ...options });
  };
  const take = (): string[] => provider.calls.splice(0).map(({ prompt }) => prompt);
  const write = (path: string, content: string) => writeFileSync(join(workingDir, path), content);
  return { folder, workingDir, out, provider, begin, take, write };
}

function states({ steps }: BatchReport): Record<string, string> {
  return Object.fromEntries(steps.map(({ id, state }) => [id, state]));
}

async function collect(run: AsyncIterable<BatchEvent>): Promise<BatchEvent[]> {
  const events: BatchEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}

const step = (id: string, more: Partial<PlanStep> = {}): PlanStep => ({ id, prompt: id, ...more });

const NO_DURATION =
  'must be a number of seconds above 0, or a duration such as "90s", "5m" or "1h30m"';

describe('a batch', () => {
  it('runs steps after the steps they need, otherwise in the order of the plan', async () => {
    const { begin, take } = openLab();
    const steps = [
      step('d', { needs: ['b', 'c'] }),
      step('b', { needs: ['a'] }),
      step('c'),
      step('a'),
    ];
    const report = await begin(steps, { concurrency: 1 });
    expect(report.outcome).toBe('succeeded');
    expect(take()).toEqual(['c', 'a', 'b', 'd']);
    expect(report.steps.map(({ id }) => id)).toEqual(['d', 'b', 'c', 'a']);
  });

  it('never runs more steps at the same time than `concurrency` allows', async () => {
    const { begin, provider } = openLab(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return {};
    });
    const steps = Array.from({ length: 12 }, (_, index) => step(`s${index}`));
    await begin(steps, { concurrency: 3 });
    expect(provider.mostAtOnce()).toBe(3);
  });

  it('fills in texts, files and data of earlier steps', async () => {
    const { begin, take } = openLab(({ prompt }) => {
      return prompt === 'a' ? { text: 'said', write: { 'x.txt': '1' }, data: { n: 1 } } : {};
    });
    await begin([
      step('a', { expects: { json: { type: 'object' } } }),
      step('b', { prompt: 'T={{steps.a.text}} F={{steps.a.files}} D={{steps.a.data}}' }),
    ]);
    expect(take()[1]).toMatch(/T=said F=x\.txt D=\{\s*"n":\s*1\s*\}/);
  });

  it('skips steps that need a failed step, directly or indirectly, and names the failed step', async () => {
    const { begin } = openLab(({ prompt }) => (prompt === 'a' ? { error: 'CONTENT_BLOCKED' } : {}));
    const report = await begin([
      step('a'),
      step('b', { needs: ['a'] }),
      step('c', { needs: ['b'] }),
      step('d'),
    ]);
    expect(states(report)).toEqual({ a: 'failed', b: 'skipped', c: 'skipped', d: 'succeeded' });
    expect(report.steps.map(({ skippedBecauseOf }) => skippedBecauseOf)).toEqual([
      undefined,
      'a',
      'a',
      undefined,
    ]);
    expect(report.outcome).toBe('failed');
  });

  it('starts no more steps after a failure with failFast, and goes on without failFast', async () => {
    const { begin } = openLab(({ prompt }) => (prompt === 'a' ? { error: 'TOOL_FAILED' } : {}));
    const steps = [step('a'), step('b')];
    const report = await begin(steps, { concurrency: 1, failFast: true });
    expect(states(report)).toEqual({ a: 'failed', b: 'pending' });
    expect(report).toMatchObject({ outcome: 'stopped', stop: { reason: 'failFast', stepId: 'a' } });
    expect(states(await begin(steps))).toEqual({ a: 'failed', b: 'succeeded' });
  });

  it('retries only retryable failures, at most `retries` times', async () => {
    const { begin, take } = openLab(({ prompt }) => ({
      error: prompt === 'blocked' ? 'CONTENT_BLOCKED' : 'RATE_LIMITED',
      retryAfterMs: 1,
    }));
    const report = await begin([step('limited', { retries: 1 }), step('blocked', { retries: 3 })], {
      concurrency: 2,
    });
    expect(take().toSorted()).toEqual(['blocked', 'limited', 'limited']);
    expect(states(report)).toEqual({ limited: 'failed', blocked: 'failed' });
    expect(report.steps[0]?.attempts.map(({ outcome }) => outcome)).toEqual([
      'RATE_LIMITED',
      'RATE_LIMITED',
    ]);
  });

  it('halves the concurrency and pauses until the time that the API has named', async () => {
    const { begin } = openLab(({ prompt, time }) => {
      return prompt === 's0' && time === 1 ? { error: 'RATE_LIMITED', retryAfterMs: 300 } : {};
    });
    const steps = Array.from({ length: 8 }, (_, index) => step(`s${index}`));
    const events = await collect(begin(steps, { concurrency: 4 }));
    expect(events).toContainEqual({ type: 'concurrency', limit: 2 });
    const pause = events.find(({ type }) => type === 'paused');
    const retry = events.find(({ type }) => type === 'step-retry');
    expect(pause).toMatchObject({ untilMs: expect.any(Number) });
    expect(retry?.type === 'step-retry' && retry.delayMs).toBeGreaterThanOrEqual(300);
    const last = events.at(-1);
    expect(last?.type === 'batch-finished' && last.report.outcome).toBe('succeeded');
  });

  it.each(['QUOTA_EXHAUSTED', 'AUTH'] as const)('stops at %s and can be resumed', async (error) => {
    let isOver = false;
    const { begin, take } = openLab(({ prompt }) => (prompt === 'b' && !isOver ? { error } : {}));
    const steps = [step('a'), step('b'), step('c'), step('d')];
    const report = await begin(steps, { concurrency: 1 });
    expect(states(report)).toEqual({ a: 'succeeded', b: 'failed', c: 'pending', d: 'pending' });
    expect(report).toMatchObject({ outcome: 'stopped', stop: { reason: error, stepId: 'b' } });
    take();
    isOver = true;
    expect((await begin(steps)).outcome).toBe('succeeded');
    expect(take()).toEqual(['b', 'c', 'd']);
  });

  it('refuses maxCost with a model without a price, and names `prices`', async () => {
    const { begin } = openLab(() => ({}));
    const steps = [step('a', { model: 'mine' }), step('b', { fallbackModel: ['other'] })];
    const problems = ['mine', 'other'].map((value) => {
      return { key: 'model', value, problem: expect.stringContaining('add it to prices') };
    });
    const error = { code: 'INVALID_CONFIG', problems };
    await expect(begin(steps, { maxCost: 1 })).rejects.toMatchObject(error);
  });

  it('stops when its tokens, its failures or its retries are used up', async () => {
    const tokens = openLab(() => ({ tokens: 60 }));
    const steps = [step('a'), step('b'), step('c')];
    const spent = await tokens.begin(steps, { concurrency: 1, maxTotalTokens: 100 });
    expect(states(spent)).toEqual({ a: 'succeeded', b: 'succeeded', c: 'pending' });
    expect(spent.stop?.reason).toBe('maxTotalTokens');
    // The scripted provider estimates no cost itself, and names the model scripted.
    const dear = openLab(() => ({ tokens: 60 }));
    const config = { prices: { scripted: { input: 1_000_000, output: 0 } } };
    const limits = { concurrency: 1, maxCost: 100, config };
    const paid = await dear.begin(steps, limits);
    expect(states(paid)).toEqual({ a: 'succeeded', b: 'succeeded', c: 'pending' });
    expect(paid.stop?.reason).toBe('maxCost');
    expect(paid.cost).toMatchObject({ usd: 120, byModel: { scripted: 120 }, unknownModels: [] });
    expect(paid.steps[0]?.attempts[0]?.cost?.usd).toBe(60);
    const failing = openLab(() => ({ error: 'TOOL_FAILED' }));
    const failed = await failing.begin(steps, { concurrency: 1, maxFailures: 2 });
    expect(states(failed)).toEqual({ a: 'failed', b: 'failed', c: 'pending' });
    expect(failed.stop?.reason).toBe('maxFailures');
    const flaky = openLab(() => ({ error: 'RATE_LIMITED', retryAfterMs: 1 }));
    await flaky.begin([step('a', { retries: 5 })], { maxRetries: 1 });
    expect(flaky.take()).toEqual(['a', 'a']);
  });

  it('stops when maxDuration is reached, even during a pause', async () => {
    const { begin } = openLab(() => ({ error: 'RATE_LIMITED', retryAfterMs: 3_600_000 }));
    const report = await begin([step('a'), step('b')], { concurrency: 1, maxDuration: 0.2 });
    expect(report).toMatchObject({ outcome: 'stopped', stop: { reason: 'maxDuration' } });
    expect(states(report)).toEqual({ a: 'pending', b: 'pending' });
  });

  it('lets running steps finish on stop, and cancels them on cancel', async () => {
    let letGo = (): void => {};
    const { begin, take } = openLab(({ prompt }) => {
      return prompt === 'a' ? new Promise((resolve) => (letGo = () => resolve({}))) : {};
    });
    const steps = [step('a'), step('b')];
    const run = begin(steps, { concurrency: 1 });
    for await (const event of run) {
      if (event.type === 'step-progress') {
        run.stop();
        setTimeout(letGo, 10);
      }
    }
    const stopped = await run;
    expect(states(stopped)).toEqual({ a: 'succeeded', b: 'pending' });
    expect(stopped.stop?.reason).toBe('interrupted');
    const other = begin([step('a', { prompt: 'a ' }), step('b')], {
      concurrency: 1,
      provider: createScriptedProvider(() => new Promise(() => {})),
    });
    for await (const event of other) if (event.type === 'step-progress') other.cancel();
    const cancelled = await other;
    expect(states(cancelled)).toEqual({ a: 'cancelled', b: 'pending' });
    expect(cancelled.outcome).toBe('stopped');
    take();
  });

  it('ends without running a step if it is cancelled before it starts', async () => {
    const { begin, take } = openLab();
    const run = begin([step('a')]);
    run.cancel();
    run.stop();
    expect(states(await run)).toEqual({ a: 'pending' });
    const aborted = await begin([step('a')], { signal: AbortSignal.abort() });
    expect(aborted.stop?.reason).toBe('cancelled');
    expect(take()).toEqual([]);
  });

  it('rejects the loop over its events if it cannot run, without an unhandled rejection', async () => {
    const { begin, folder } = openLab();
    writeFileSync(join(folder, 'file'), '');
    const run = begin([step('a')], { out: join(folder, 'file', 'out') });
    await expect(collect(run)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('ledger.jsonl'),
      hint: expect.stringContaining('ENOTDIR'),
    });
  });

  it('warns of two steps that wrote the same file at the same time', async () => {
    const arrived: (() => void)[] = [];
    const { begin } = openLab(async ({ prompt }) => {
      await new Promise<void>((resolve) => {
        arrived.push(resolve);
        if (arrived.length === 2) for (const go of arrived) go();
      });
      return { write: { 'same.txt': prompt } };
    });
    const report = await begin([step('a'), step('b')]);
    expect(report.warnings).toMatchObject([{ code: 'SAME_FILE', paths: ['same.txt'] }]);
    expect(report.warnings[0]?.steps.toSorted()).toEqual(['a', 'b']);
    expect(report.files[0]?.conflicts.toSorted()).toEqual(['a', 'b']);
  });

  it('runs a thousand steps fifty at a time', async () => {
    const { begin } = openLab();
    const steps = Array.from({ length: 1000 }, (_, index) => {
      return step(`s${index}`, index < 50 ? {} : { needs: [`s${index - 50}`] });
    });
    const report = await begin(steps, { concurrency: 50 });
    expect(report.counts.succeeded).toBe(1000);
  });

  it.each([
    ['the ledger', 'ledger.jsonl', 0],
    ['the baseline', 'files-before.json', 0],
    ['the report', 'report.html', 1],
  ])('rejects if %s cannot be written, and releases its lease', async (_, name, calls) => {
    const { begin, out, provider } = openLab();
    const folder = name === 'report.html' ? out : join(ledgerOf(out), '..');
    mkdirSync(join(folder, name), { recursive: true });
    chmodSync(folder, 0o700);
    await expect(begin([step('a')])).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(folder),
      hint: expect.stringContaining('EISDIR'),
    });
    expect(provider.calls).toHaveLength(calls);
    rmSync(join(folder, name), { recursive: true });
    expect((await begin([step('a')])).outcome).toBe('succeeded');
    expect(provider.calls).toHaveLength(1);
  });

  it('passes each step its own configuration, including time limits', async () => {
    const { folder, provider } = openLab();
    const steps = [step('a', { timeout: 5 }), step('b', { model: 'm' })];
    await runBatch({ defaults: { timeout: 30 }, steps }, { provider, baseDir: folder });
    expect(provider.calls.map(({ options }) => options)).toMatchObject([
      { timeout: 5 },
      { timeout: 30, model: 'm' },
    ]);
  });

  it('distinguishes files of the same name in two folders', async () => {
    const { folder, out, provider } = openLab(({ prompt }) => ({ write: { 'same.txt': prompt } }));
    for (const name of ['a', 'b']) mkdirSync(join(folder, name));
    const steps = ['a', 'b'].map((id) => step(id, { workingDir: join(folder, id) }));
    const { files, steps: reports } = await runBatch({ steps }, { out, provider, baseDir: folder });
    expect(files).toMatchObject([
      { path: 'a/same.txt', absolutePath: join(folder, 'a', 'same.txt'), steps: ['a'] },
      { path: 'b/same.txt', absolutePath: join(folder, 'b', 'same.txt'), steps: ['b'] },
    ]);
    expect(reports.map(({ folder: at, files: [file] }) => [at, file?.path])).toEqual([
      ['a', 'a/same.txt'],
      ['b', 'b/same.txt'],
    ]);
  });

  it('shortens the needs of a matrix that needs a matrix, in the ledger and the report', async () => {
    const { begin, out } = openLab();
    const list = Array.from({ length: 30 }, (_, n) => n);
    const report = await begin([
      step('one', { for: { n: list } }),
      step('two', { for: { n: list }, needs: ['one'] }),
    ]);
    expect(report.counts.succeeded).toBe(60);
    expect(report.steps[59]?.needs).toEqual(['one']);
    const [plan = ''] = readFileSync(ledgerOf(out), 'utf8').split('\n');
    expect(plan.length).toBeLessThan(60 * 150);
  });

  it('makes its output folder readable by the owner only, and ignored by git', async () => {
    const { begin, out } = openLab();
    mkdirSync(out);
    await begin([step('a')]);
    expect(readFileSync(join(out, '.gitignore'), 'utf8')).toBe('*\n');
    const other = join(out, 'above', 'other');
    await begin([step('a')], { out: other });
    expect(statSync(other).mode & 0o777).toBe(0o700);
    expect(statSync(join(out, 'above')).mode & 0o777).not.toBe(0o700);
  });

  it.each([
    [{ concurrency: 0 }, 'concurrency = 0: must be a whole number, 1 or more'],
    [{ concurrency: Number.NaN }, 'concurrency = "NaN": must be a whole number, 1 or more'],
    [{ concurrency: 1.5 }, 'concurrency = 1.5: must be a whole number, 1 or more'],
    [{ maxDuration: -1 }, `maxDuration = -1: ${NO_DURATION}`],
    [{ maxRetries: -1 }, 'maxRetries = -1: must be a whole number, 0 or more'],
    [{ maxDuration: Number.NaN }, `maxDuration = "NaN": ${NO_DURATION}`],
  ])('refuses invalid limits: %j', async (limits, problem) => {
    await expect(openLab().begin([step('a')], limits)).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      message: `Invalid configuration: ${problem}`,
    });
  });

  it('writes a folder for each step and the reports, and releases its leases', async () => {
    const { begin, out } = openLab(() => ({ write: { 'x.txt': 'x' } }));
    const report = await begin([step('a/b')]);
    const names = ['.batch', '.gitignore', 'manifest.json', 'report.html', 'report.json', 'steps'];
    expect(readdirSync(out).sort()).toEqual(names);
    const leases = [join(out, '.batch'), join(ledgerOf(out), '..')];
    for (const path of leases) expect(statSync(join(path, 'lease-1.json')).size).toBe(0);
    const folder = join(out, 'steps', 'a_b-c14cddc0');
    expect(JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8'))).toMatchObject({
      id: 'a/b',
      state: 'succeeded',
    });
    expect(readFileSync(join(folder, 'events.jsonl'), 'utf8')).toContain('session-init');
    expect(readFileSync(join(folder, 'diff.patch'), 'utf8')).toContain('+++ x.txt');
    expect(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'))).toEqual(
      JSON.parse(JSON.stringify(report)),
    );
  });
});

describe('a batch that is run again', () => {
  it('runs no finished step, and reports it as reused', async () => {
    const { begin, take } = openLab();
    const steps = [step('a'), step('b', { needs: ['a'] })];
    await begin(steps);
    take();
    const report = await begin(steps);
    expect(take()).toEqual([]);
    expect(report.steps.map(({ state, reused }) => [state, reused])).toEqual([
      ['succeeded', true],
      ['succeeded', true],
    ]);
  });

  it('reuses a step whose data changes when it is written as JSON', async () => {
    const data = { when: new Date(0), least: Number.NaN };
    const { begin, take } = openLab(({ prompt }) => (prompt === 'make' ? { data } : {}));
    const steps = [
      { id: 'a', prompt: 'make' },
      { id: 'b', prompt: 'use', needs: ['a'] },
    ];
    const first = await begin(steps);
    expect(take()).toEqual(['make', 'use']);
    expect(first.steps[0]?.data).toEqual({ when: '1970-01-01T00:00:00.000Z', least: null });
    const second = await begin(steps);
    expect(take()).toEqual([]);
    expect(second.steps[0]?.data).toEqual(first.steps[0]?.data);
  });

  it('fails a step whose data cannot be written as JSON, with the reason', async () => {
    const { begin } = openLab(() => ({ data: { count: 1n } }));
    const report = await begin([{ id: 'a', prompt: 'a' }]);
    expect(report.steps[0]?.attempts).toHaveLength(1);
    expect(report.steps[0]?.error).toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringContaining('cannot be written as JSON'),
    });
  });

  it('runs a step with a changed prompt, and the steps that need its changed answer', async () => {
    const { begin, take } = openLab(({ prompt }) => ({ text: prompt }));
    const rest = [step('b', { needs: ['a'] }), step('c')];
    await begin([step('a'), ...rest]);
    take();
    const report = await begin([step('a', { prompt: 'a, but better' }), ...rest]);
    expect(take()).toEqual(['a, but better', 'b']);
    expect(report.steps.map(({ reused }) => reused)).toEqual([false, false, true]);
  });

  it('does not run the steps that need a step if its changed prompt gives the same answer', async () => {
    const { begin, take } = openLab();
    await begin([step('a'), step('b', { needs: ['a'] })]);
    take();
    await begin([step('a', { prompt: 'a, the same' }), step('b', { needs: ['a'] })]);
    expect(take()).toEqual(['a, the same']);
  });

  it('skips a finished step if a step that it needs fails now', async () => {
    const { begin } = openLab(({ prompt }) => (prompt === 'bad' ? { error: 'TOOL_FAILED' } : {}));
    const rest = [step('b', { needs: ['a'] })];
    await begin([step('a'), ...rest]);
    const report = await begin([step('a', { prompt: 'bad' }), ...rest]);
    expect(states(report)).toEqual({ a: 'failed', b: 'skipped' });
    expect(report.steps[1]).toMatchObject({ reused: false, skippedBecauseOf: 'a' });
    expect(report.counts).toMatchObject({ succeeded: 0, failed: 1, skipped: 1 });
  });

  it('runs a step again if the user has changed its input, even while the step ran', async () => {
    const { begin, take, write } = openLab(({ prompt }) => {
      if (prompt === 'slow') write('in.txt', 'changed meanwhile');
      return {};
    });
    write('in.txt', '1');
    const steps = [step('a', { inputs: ['in.txt'] })];
    await begin(steps);
    await begin(steps);
    expect(take()).toEqual(['a']);
    write('in.txt', '2');
    await begin(steps);
    expect(take()).toEqual(['a']);
    const slow = [step('slow', { inputs: ['in.txt'] })];
    await begin(slow);
    await begin(slow);
    expect(take()).toEqual(['slow', 'slow']);
  });

  it('does not run a step again for changes that the batch itself made to its inputs', async () => {
    const { begin, take, write } = openLab(({ prompt }) => {
      if (prompt === 'own') return { write: { 'in.txt': 'by itself', 'in-2.txt': 'new' } };
      return { write: { 'in.txt': 'by another', 'in-3.txt': 'new too' } };
    });
    write('in.txt', '1');
    const steps = [step('own', { inputs: ['in*.txt'] }), step('other', { needs: ['own'] })];
    await begin(steps);
    expect(take()).toEqual(['own', 'other']);
    await begin(steps);
    await begin(steps);
    expect(take()).toEqual([]);
  });

  it('marks outdated results as pending if it stops before it reaches the steps', async () => {
    const { begin, take, write } = openLab(({ prompt }) => ({
      text: prompt,
      ...(prompt === 'bad' ? { error: 'AUTH' } : {}),
    }));
    write('in.txt', '1');
    const rest = [
      step('same'),
      step('after-same', { needs: ['same'] }),
      step('changed'),
      step('after-changed', { needs: ['changed'] }),
      step('input', { inputs: ['in.txt'] }),
    ];
    await begin([step('first'), ...rest]);
    take();
    write('in.txt', '2');
    const changed = rest.map((each) => (each.id === 'changed' ? { ...each, prompt: 'x' } : each));
    const options = { concurrency: 1 };
    const report = await begin([step('first', { prompt: 'bad' }), ...changed], options);
    expect(take()).toEqual(['bad']);
    expect(report.outcome).toBe('stopped');
    expect(states(report)).toEqual({
      first: 'failed',
      same: 'succeeded',
      'after-same': 'succeeded',
      changed: 'pending',
      'after-changed': 'pending',
      input: 'pending',
    });
    write('in.txt', '1');
    expect((await begin([step('first', { prompt: 'good' }), ...rest])).outcome).toBe('succeeded');
    expect(take()).toEqual(['good']);
  });

  it('starts from the beginning with fresh, and renames the old ledger and step folders', async () => {
    const { begin, take, out } = openLab();
    await begin([step('a'), step('b')]);
    await begin([step('a')], { fresh: true });
    expect(take()).toEqual(['a', 'b', 'a']);
    expect(readdirSync(join(out, 'steps'))).toEqual(['a']);
    const names = [...readdirSync(out), ...readdirSync(join(ledgerOf(out), '..'))];
    expect(names.filter((name) => /^(ledger|steps)-\d+/.test(name))).toHaveLength(2);
  });

  it('warns once of changed files that no step has reported, after an attempt was killed', async () => {
    const { begin, out, write, workingDir } = openLab(({ prompt }) => ({
      write: { [`${prompt}.txt`]: prompt },
    }));
    write('old.txt', 'old');
    write('untouched.txt', 'same');
    const steps = [step('a'), step('b')];
    const first = await begin(steps);
    expect(first.warnings).toEqual([]);
    keepEntries(out, (entry) => {
      const isEndOfB = 'step' in entry && entry.step === 'b' && entry.type !== 'start';
      return !isEndOfB && entry.type !== 'end';
    });
    rmSync(join(workingDir, 'old.txt'));
    write('by-killed.txt', 'new');
    const report = await begin(steps);
    expect(report.warnings).toMatchObject([
      { code: 'UNEXPLAINED_CHANGES', steps: ['b'], paths: ['by-killed.txt', 'old.txt'] },
    ]);
    expect(report.files.map(({ path, conflicts }) => [path, conflicts])).toEqual([
      ['a.txt', []],
      ['b.txt', []],
    ]);
    // The warning is given once: the batch does not report later changes by other programs.
    expect((await begin(steps)).warnings).toEqual([]);
  });

  it.each([
    ['existed before', []],
    ['contains other files', ['notes.txt']],
  ])('does not warn of files in its own output folder if that folder %s', async (_, others) => {
    const { begin, workingDir, write } = openLab();
    const out = join(workingDir, 'reports');
    mkdirSync(out);
    for (const name of others) write(join('reports', name), 'mine');
    const steps = [{ id: 'a', prompt: 'a' }];
    await begin(steps, { out });
    keepEntries(out, ({ type }) => type === 'plan' || type === 'start');
    const report = await begin(steps, { out });
    expect(report.steps[0]?.attempts.map(({ outcome }) => outcome)).toEqual([
      'interrupted',
      'succeeded',
    ]);
    expect(report.warnings).toEqual([]);
  });

  it('recognises its own changes if the working directory is a link', async () => {
    const folder = makeTree({ 'real/in.txt': '1' });
    symlinkSync(join(folder, 'real'), join(folder, 'link'));
    const real = join(folder, 'real');
    // The tools of the CLI report real paths.
    const provider = createScriptedProvider(() => ({ write: { '../real/in.txt': '2' } }));
    const steps = [
      step('a', { inputs: ['in.txt'] }),
      step('b', { inputs: ['in.txt'], needs: ['a'] }),
    ];
    const begin = () => {
      const defaults = { workingDir: join(folder, 'link') };
      return runBatch({ defaults, steps }, { out: join(folder, 'out'), provider, baseDir: real });
    };
    await begin();
    await begin();
    expect(provider.calls).toHaveLength(2);
  });

  it('reports files of failed attempts as files of the step', async () => {
    const { begin } = openLab(({ time }) => {
      return time === 1
        ? { write: { 'x.txt': 'half' }, error: 'RATE_LIMITED', retryAfterMs: 1 }
        : { write: { 'x.txt': 'whole' } };
    });
    const report = await begin([step('a')]);
    expect(report.files).toMatchObject([{ path: 'x.txt', kind: 'created', steps: ['a'] }]);
  });
});
