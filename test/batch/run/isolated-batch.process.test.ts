import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Isolation, PlanStep } from '../../../src/api/batch-plan.js';
import { runBatch } from '../../../src/batch/run/run-batch.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { KINDS, makeRepository, read } from '../isolation/support.js';
import { type Answer, type Call, createScriptedProvider } from './scripted-provider.js';

function openLab(isolation: Isolation, answer: (call: Call) => Answer | Promise<Answer>) {
  const { folder, git } = makeRepository({ 'a.txt': 'one\ntwo\nthree\n' });
  const out = join(makeTree(), 'out');
  const provider = createScriptedProvider(answer);
  const begin = (steps: readonly PlanStep[]) => {
    const defaults = { workingDir: folder, isolation };
    return runBatch({ defaults, steps }, { out, provider, baseDir: folder });
  };
  return { folder, git, out, provider, begin };
}

describe.each(KINDS)('a batch with isolation %s', (isolation) => {
  it('merges in the order of the plan, even if a later step ends first', async () => {
    const ended: string[] = [];
    let secondIsOver = (): void => {};
    const second = new Promise<void>((resolve) => {
      secondIsOver = resolve;
    });
    const { begin, folder, provider, git } = openLab(isolation, async ({ prompt }) => {
      if (prompt === 'first') await second;
      else setTimeout(secondIsOver, 50);
      ended.push(prompt);
      return { write: { [`${prompt}.txt`]: prompt } };
    });
    const report = await begin([
      { id: 'first', prompt: 'first' },
      { id: 'second', prompt: 'second' },
    ]);
    expect(ended).toEqual(['second', 'first']);
    expect(report.outcome).toBe('succeeded');
    const ends = report.steps.map(({ attempts }) => attempts[0]?.endedAt ?? '');
    expect(ends).toEqual(ends.toSorted());
    expect(read(folder)).toMatchObject({ 'first.txt': 'first', 'second.txt': 'second' });
    expect(report.files.map(({ path, kind }) => [path, kind])).toEqual([
      ['first.txt', 'created'],
      ['second.txt', 'created'],
    ]);
    expect(report.steps[0]?.files[0]?.absolutePath).toBe(join(folder, 'first.txt'));
    expect(provider.calls.every(({ workingDir }) => workingDir !== folder)).toBe(true);
    expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1);
  });

  it('fails a step with a merge conflict, keeps its patch, and does not change the tree', async () => {
    const arrived: (() => void)[] = [];
    const { begin, folder, out } = openLab(isolation, async ({ prompt }) => {
      await new Promise<void>((resolve) => {
        arrived.push(resolve);
        if (arrived.length === 2) for (const go of arrived) go();
      });
      return { write: { 'a.txt': `${prompt}\ntwo\nthree\n`, [`${prompt}.txt`]: prompt } };
    });
    const report = await begin([
      { id: 'x', prompt: 'x' },
      { id: 'y', prompt: 'y' },
    ]);
    expect(report.steps.map(({ state }) => state)).toEqual(['succeeded', 'failed']);
    expect(report.steps[1]?.error).toMatchObject({
      code: 'EXPECTATION_FAILED',
      missing: [{ kind: 'merge', paths: ['a.txt'] }],
    });
    expect(read(folder)).toMatchObject({ 'a.txt': 'x\ntwo\nthree\n', 'x.txt': 'x' });
    expect(existsSync(join(folder, 'y.txt'))).toBe(false);
    expect(existsSync(join(out, 'kept', 'y.patch'))).toBe(true);
    expect(report.files.find(({ path }) => path === 'a.txt')?.conflicts).toEqual(['y']);
  });

  it('keeps the patch of a merge conflict even without an output folder', async () => {
    const { folder, provider } = openLab(isolation, ({ prompt, workingDir }) => {
      // The user changes the same file while the step runs.
      writeFileSync(join(folder, 'a.txt'), 'user\ntwo\nthree\n');
      return { write: { 'a.txt': `${prompt} in ${workingDir}\n` } };
    });
    const steps = [{ id: 'x', prompt: 'x' }];
    const defaults = { workingDir: folder, isolation };
    const report = await runBatch({ defaults, steps }, { provider, baseDir: folder });
    const kept = /kept in (\S+):/.exec(report.steps[0]?.error?.hint ?? '')?.[1] ?? 'nothing';
    expect(existsSync(kept)).toBe(true);
    rmSync(join(kept, '..', '..'), { recursive: true });
  });

  it('warns if a step has written through a linked folder', async () => {
    const { begin, folder } = openLab(isolation, () => ({
      write: { 'node_modules/dep/x': 'through' },
    }));
    writeFileSync(join(folder, '.gitignore'), 'node_modules\n');
    mkdirSync(join(folder, 'node_modules', 'dep'), { recursive: true });
    writeFileSync(join(folder, 'node_modules', 'dep', 'old'), 'o');
    const report = await begin([{ id: 'x', prompt: 'x' }]);
    expect(report.steps[0]?.warnings).toMatchObject([
      { code: 'NOT_ISOLATED', message: expect.stringContaining('node_modules') },
    ]);
  });

  it('leaves no file of a failed attempt in the tree, and no old patch after a success', async () => {
    const { begin, folder, out } = openLab(isolation, ({ time }) => {
      return time === 1
        ? { write: { 'half.txt': 'h' }, error: 'RATE_LIMITED', retryAfterMs: 1 }
        : { write: { 'whole.txt': 'w' } };
    });
    const report = await begin([{ id: 'x', prompt: 'x' }]);
    expect(report.outcome).toBe('succeeded');
    expect(existsSync(join(folder, 'half.txt'))).toBe(false);
    expect(readFileSync(join(folder, 'whole.txt'), 'utf8')).toBe('w');
    expect(existsSync(join(out, 'kept', 'x.patch'))).toBe(false);
  });

  it('works with its output folder inside the workspace', async () => {
    const { folder } = openLab(isolation, () => ({}));
    const provider = createScriptedProvider(({ prompt }) => ({ write: { [prompt]: prompt } }));
    const defaults = { workingDir: folder, isolation };
    const steps = ['p', 'q', 'r'].map((id) => ({ id, prompt: id }));
    const options = { out: join(folder, 'out'), provider, baseDir: folder };
    const report = await runBatch({ defaults, steps }, options);
    expect(report.outcome).toBe('succeeded');
    expect(report.files.map(({ path }) => path)).toEqual(['p', 'q', 'r']);
    writeFileSync(join(folder, 'user.txt'), 'x');
    expect((await runBatch({ defaults, steps }, options)).outcome).toBe('succeeded');
    expect(provider.calls).toHaveLength(3);
  });
});
