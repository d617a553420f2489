import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BatchEvent } from '../../../src/api/batch-event.js';
import type { MergeOrderOption } from '../../../src/api/batch-limits.js';
import type { Isolation, PlanStep } from '../../../src/api/batch-plan.js';
import { runBatch } from '../../../src/batch/run/run-batch.js';
import { locateState } from '../../../src/batch/state/state-folder.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { KINDS, LINES, makeRepository, read } from '../isolation/support.js';
import { failAt } from './fail-ledger.js';
import { type Answer, type Call, createScriptedProvider } from './scripted-provider.js';

const STEP = { id: 'x', prompt: 'x', inputs: ['in.txt'] };

function openLab(isolation: Isolation, answer: (call: Call) => Answer | Promise<Answer>) {
  const { folder, git } = makeRepository({ 'a.txt': LINES, 'in.txt': 'in\n' });
  const out = join(makeTree(), 'out');
  const provider = createScriptedProvider(answer);
  const begin = (steps: readonly PlanStep[], mergeOrder?: MergeOrderOption) => {
    const defaults = { workingDir: folder, isolation };
    return runBatch({ defaults, steps }, { out, provider, baseDir: folder, mergeOrder });
  };
  return { folder, git, out, provider, begin, state: locateState(out, undefined) };
}

/** Runs a batch that crashes when its changes are merged and the ledger does not have the result yet. */
async function crashBeforeDone(isolation: Isolation) {
  const lab = openLab(isolation, () => ({
    text: 'said',
    write: { 'new.txt': 'n\n', 'a.txt': LINES.replace('one', 'ONE') },
    tokens: 7,
  }));
  const repair = failAt('done');
  await expect(lab.begin([STEP])).rejects.toThrow('crash');
  repair();
  return lab;
}

describe.each(KINDS)('an attempt in a %s that has ended', (isolation) => {
  it('is merged by the next run, and its step does not run again', async () => {
    const { begin, provider, folder, state, git } = await crashBeforeDone(isolation);
    // The crashed batch has reverted its merge, and has kept the saved changes.
    expect(read(folder)).toEqual({ 'a.txt': LINES, 'in.txt': 'in\n' });
    expect(readdirSync(join(state, 'saved'))).toHaveLength(2);
    const batch = begin([STEP]);
    const events: BatchEvent[] = [];
    for await (const event of batch) events.push(event);
    const report = await batch;
    expect(provider.calls).toHaveLength(1);
    expect(report).toMatchObject({ outcome: 'succeeded', usage: { total: 7 } });
    const [step] = report.steps;
    expect(step).toMatchObject({ state: 'succeeded', text: 'said', reused: false });
    expect(step?.attempts).toMatchObject([{ number: 1, outcome: 'succeeded' }]);
    const [{ endedAt = '', mergedAt = '' } = {}] = step?.attempts ?? [];
    expect(endedAt < mergedAt).toBe(true);
    expect(step?.files.map(({ absolutePath }) => absolutePath).sort()).toEqual([
      join(folder, 'a.txt'),
      join(folder, 'new.txt'),
    ]);
    expect(read(folder)).toMatchObject({
      'a.txt': LINES.replace('one', 'ONE'),
      'new.txt': 'n\n',
    });
    expect(events).not.toContainEqual(expect.objectContaining({ type: 'step-started' }));
    expect(events).toContainEqual({ type: 'step-waiting', stepId: 'x', waitsFor: 'merging' });
    expect(readdirSync(state)).not.toContain('saved');
    expect(readdirSync(state)).not.toContain('isolated');
    expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1);
  });

  it('is merged with changes that the user has made meanwhile', async () => {
    const { begin, provider, folder } = await crashBeforeDone(isolation);
    writeFileSync(join(folder, 'a.txt'), LINES.replace('seven', 'SEVEN'));
    expect((await begin([STEP])).outcome).toBe('succeeded');
    expect(provider.calls).toHaveLength(1);
    const both = LINES.replace('one', 'ONE').replace('seven', 'SEVEN');
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe(both);
  });

  it('fails with its patch kept if the changes conflict', async () => {
    const { begin, provider, folder, out, state } = await crashBeforeDone(isolation);
    writeFileSync(join(folder, 'a.txt'), LINES.replace('one', 'first'));
    const report = await begin([STEP]);
    expect(report.steps[0]).toMatchObject({
      state: 'failed',
      attempts: [{ number: 1, outcome: 'EXPECTATION_FAILED' }],
      error: { code: 'EXPECTATION_FAILED', partial: { text: 'said' } },
    });
    expect(provider.calls).toHaveLength(1);
    expect(readFileSync(join(out, 'kept', 'x.patch'), 'utf8')).toContain('+ONE');
    expect(existsSync(join(folder, 'new.txt'))).toBe(false);
    expect(readdirSync(state)).not.toContain('saved');
    // The step failed, so the next run starts it again.
    expect((await begin([STEP])).steps[0]?.attempts).toHaveLength(2);
  });

  it.each([
    ['prompt', (folder: string) => ({ ...STEP, prompt: `y ${folder.length}` })],
    [
      'input',
      (folder: string) => {
        writeFileSync(join(folder, 'in.txt'), 'changed\n');
        return STEP;
      },
    ],
  ])('is dropped if its %s has changed', async (_what, change) => {
    const { begin, provider, folder, state } = await crashBeforeDone(isolation);
    const report = await begin([change(folder)]);
    expect(provider.calls).toHaveLength(2);
    expect(report).toMatchObject({ outcome: 'succeeded', warnings: [] });
    expect(readdirSync(state)).not.toContain('saved');
  });

  it.each([
    ['a changed file', (saved: string, id: string) => join(saved, id, 'files', 'a.txt')],
    ['an unsigned record', (saved: string, id: string) => join(saved, `${id}.json`)],
  ])('runs again with a warning if its saved changes have %s', async (_what, locate) => {
    const { begin, provider, state, folder } = await crashBeforeDone(isolation);
    const saved = join(state, 'saved');
    const [id = ''] = readdirSync(saved);
    writeFileSync(locate(saved, id), '{}');
    const report = await begin([STEP]);
    expect(provider.calls).toHaveLength(2);
    expect(report.outcome).toBe('succeeded');
    expect(report.warnings).toMatchObject([
      { code: 'DAMAGED_LEDGER', message: expect.stringContaining('step x'), steps: ['x'] },
    ]);
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toContain('ONE');
    expect(readdirSync(state)).not.toContain('saved');
  });

  it('runs again with a warning if its saved changes are gone', async () => {
    const { begin, provider, state } = await crashBeforeDone(isolation);
    rmSync(join(state, 'saved'), { recursive: true });
    const report = await begin([STEP]);
    expect(provider.calls).toHaveLength(2);
    expect(report.warnings).toMatchObject([{ code: 'DAMAGED_LEDGER', steps: ['x'] }]);
  });

  it('is merged from its workspace if it cannot be saved', async () => {
    const lab = openLab(isolation, ({ prompt }) => ({ write: { [`${prompt}.txt`]: prompt } }));
    await lab.begin([{ id: 'first', prompt: 'first' }]);
    // The folder for saved changes cannot be created, as on a full disk.
    writeFileSync(join(lab.state, 'saved'), '');
    const steps = ['first', 'second'].map((id) => ({ id, prompt: id }));
    const report = await lab.begin(steps);
    expect(report.outcome).toBe('succeeded');
    expect(read(lab.folder)).toMatchObject({ 'second.txt': 'second' });
    expect(readFileSync(join(lab.state, 'ledger.jsonl'), 'utf8')).not.toMatch(
      /"type":"saved","step":"second"/,
    );
  });

  it('does not wait for a slow step before it, and tells what it waits for', async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { begin, folder } = openLab(isolation, async ({ prompt }) => {
      if (prompt === 'slow') await held;
      return { write: { [`${prompt}.txt`]: prompt } };
    });
    const steps = ['slow', 'quick'].map((id) => ({ id, prompt: id }));
    for await (const event of begin(steps)) {
      if (event.type !== 'step-finished') continue;
      if (event.stepId === 'quick') {
        expect(readFileSync(join(folder, 'quick.txt'), 'utf8')).toBe('quick');
        expect(existsSync(join(folder, 'slow.txt'))).toBe(false);
        release();
      } else expect(existsSync(join(folder, 'slow.txt'))).toBe(true);
    }
  });
});

it('a step that waits for the order of the plan is on the disk, names the slow step, and is merged after a stop', async () => {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { begin, folder, state, git } = openLab('worktree', async ({ prompt }) => {
    if (prompt === 'slow') await held;
    return { write: { [`${prompt}.txt`]: prompt } };
  });
  const batch = begin(
    ['slow', 'quick', 'never'].map((id) => {
      return { id, prompt: id, ...(id === 'never' ? { needs: ['quick'] } : {}) };
    }),
    'plan',
  );
  for await (const event of batch) {
    if (event.type !== 'step-waiting' || event.waitsFor !== 'merge') continue;
    expect(event).toMatchObject({ stepId: 'quick', behind: 'slow' });
    const ledger = readFileSync(join(state, 'ledger.jsonl'), 'utf8');
    expect(ledger).toContain('"type":"saved","step":"quick"');
    // The worktree of the finished step is removed before its merge.
    expect(git('worktree', 'list').trim().split('\n')).toHaveLength(2);
    batch.stop();
    release();
  }
  const report = await batch;
  expect(report.steps.map(({ state }) => state)).toEqual(['succeeded', 'succeeded', 'pending']);
  expect(read(folder)).toMatchObject({ 'slow.txt': 'slow', 'quick.txt': 'quick' });
  const [slow, quick] = report.steps;
  expect(quick?.waitMs).toBeGreaterThan(0);
  expect(slow?.attempts[0]?.mergedAt).toBeTypeOf('string');
});

it('a step that waits for its merge is not lost by a cancel, and does not run again', async () => {
  const { begin, folder, provider } = openLab('worktree', async ({ prompt, signal, time }) => {
    if (prompt === 'slow' && time === 1) {
      await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      return { error: 'CANCELLED' };
    }
    return { write: { [`${prompt}.txt`]: prompt } };
  });
  const steps = ['slow', 'quick'].map((id) => ({ id, prompt: id }));
  const batch = begin(steps, 'plan');
  for await (const event of batch) {
    if (event.type !== 'step-waiting' || event.waitsFor !== 'merge') continue;
    batch.stop();
    batch.cancel();
  }
  const [slow, quick] = (await batch).steps;
  expect(slow?.state).toBe('cancelled');
  // A merge does not wait for any model: the cancelled batch merges what is saved.
  expect(quick?.state).toBe('succeeded');
  expect(read(folder)).toMatchObject({ 'quick.txt': 'quick' });
  expect((await begin(steps, 'plan')).outcome).toBe('succeeded');
  // Whichever worktree is ready first begins.
  const prompts = provider.calls.map(({ prompt }) => prompt);
  expect(prompts.toSorted()).toEqual(['quick', 'slow', 'slow']);
});

it('a step merges three-way with a later step that was merged earlier, or fails with its patch kept', async () => {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { begin, folder, out } = openLab('worktree', async ({ prompt }) => {
    if (prompt.startsWith('slow')) await held;
    const [, from = '', to = ''] = prompt.split(' ');
    return { write: { 'a.txt': LINES.replace(from, to) } };
  });
  const batch = begin([
    { id: 'both', prompt: 'slow seven SEVEN' },
    { id: 'conflict', prompt: 'slow one first' },
    { id: 'early', prompt: 'quick one ONE' },
    { id: 'shared', prompt: 'quick x y', isolation: 'shared', workingDir: makeTree() },
  ]);
  for await (const event of batch) {
    if (event.type === 'step-finished' && event.stepId === 'early') release();
  }
  const { steps } = await batch;
  expect(steps.map(({ id, state }) => [id, state])).toEqual([
    ['both', 'succeeded'],
    ['conflict', 'failed'],
    ['early', 'succeeded'],
    ['shared', 'succeeded'],
  ]);
  expect(steps[1]?.error).toMatchObject({
    code: 'EXPECTATION_FAILED',
    missing: [{ kind: 'merge', paths: ['a.txt'] }],
  });
  const merged = LINES.replace('one', 'ONE').replace('seven', 'SEVEN');
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe(merged);
  expect(readFileSync(join(out, 'kept', 'conflict.patch'), 'utf8')).toContain('+first');
});
