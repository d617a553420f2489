import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { MergeOrderOption } from '../../../src/api/batch-limits.js';
import type { Isolation, PlanStep } from '../../../src/api/batch-plan.js';
import type { ResponseProvider } from '../../../src/api/response-provider.js';
import { runBatch } from '../../../src/batch/run/run-batch.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { KINDS, makeRepository, read } from '../isolation/support.js';
import { type Answer, type Call, createScriptedProvider } from './scripted-provider.js';
import { hashOf } from './scripted-result.mjs';

function openLab(isolation: Isolation, answer: (call: Call) => Answer | Promise<Answer>) {
  const { folder, git } = makeRepository({ 'a.txt': 'one\ntwo\nthree\n' });
  const out = join(makeTree(), 'out');
  const provider = createScriptedProvider(answer);
  const begin = (steps: readonly PlanStep[], mergeOrder?: MergeOrderOption) => {
    const defaults = { workingDir: folder, isolation };
    return runBatch({ defaults, steps }, { out, provider, baseDir: folder, mergeOrder });
  };
  return { folder, git, out, provider, begin };
}

describe.each(KINDS)('a batch with isolation %s', (isolation) => {
  it('names the folder to which the session of an attempt belongs', async () => {
    const { begin, folder, provider } = openLab(isolation, () => ({ text: 'done' }));
    await begin([
      { id: 'isolated', prompt: 'isolated' },
      { id: 'shared', prompt: 'shared', isolation: 'shared' },
    ]);
    const contexts = new Map(provider.calls.map(({ prompt, context }) => [prompt, context]));
    expect(contexts.get('isolated')).toMatchObject({ sessionProject: folder });
    expect(contexts.get('shared')).not.toHaveProperty('sessionProject');
  });

  it('merges in the order of the plan if the plan says so, even if a later step ends first', async () => {
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
    const steps = ['first', 'second'].map((id) => ({ id, prompt: id }));
    const report = await begin(steps, 'plan');
    expect(ended).toEqual(['second', 'first']);
    expect(report.outcome).toBe('succeeded');
    const merges = report.steps.map(({ attempts }) => attempts[0]?.mergedAt ?? '');
    expect(merges).toEqual(merges.toSorted());
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
    const steps = ['x', 'y'].map((id) => ({ id, prompt: id }));
    const report = await begin(steps, 'plan');
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

  it('confirms files by the tree of the user after the merge, and says which are not merged', async () => {
    const { begin, folder } = openLab(isolation, () => ({
      write: { 'new.txt': 'n', 'a.txt': null, 'node_modules/x': 'lost' },
    }));
    writeFileSync(join(folder, '.gitignore'), 'node_modules\n');
    mkdirSync(join(folder, 'node_modules', 'dep'), { recursive: true });
    const report = await begin([{ id: 'x', prompt: 'x' }]);
    const message = 'File node_modules/x was not merged: it is in a folder of links';
    expect(report.steps[0]?.warnings).toMatchObject([{ code: 'NOT_ISOLATED', message }]);
    const files = report.steps[0]?.files ?? [];
    expect(files.map(({ path, confirmed, sha256After }) => [path, confirmed, sha256After])).toEqual(
      [
        ['new.txt', true, hashOf(join(folder, 'new.txt'))],
        ['a.txt', true, undefined],
        ['node_modules/x', false, undefined],
      ],
    );
  });

  it('confirms a file that has the changes of two steps', async () => {
    const lines = 'one\n2\n3\n4\n5\n6\n7\nend\n';
    const arrived: (() => void)[] = [];
    const { begin, folder } = openLab(isolation, async ({ prompt }) => {
      await new Promise<void>((resolve) => {
        arrived.push(resolve);
        if (arrived.length === 2) for (const go of arrived) go();
      });
      return { write: { 'a.txt': lines.replace(prompt, prompt.toUpperCase()) } };
    });
    writeFileSync(join(folder, 'a.txt'), lines);
    const steps = ['one', 'end'].map((id) => ({ id, prompt: id }));
    const report = await begin(steps, 'plan');
    expect(report.outcome).toBe('succeeded');
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('ONE\n2\n3\n4\n5\n6\n7\nEND\n');
    expect(report.steps[1]?.files).toMatchObject([
      { path: 'a.txt', confirmed: true, sha256After: hashOf(join(folder, 'a.txt')) },
    ]);
  });

  it('undoes and fails a step if a file of the manifest is not on the disk (claim: merge-verified)', async () => {
    const { folder, out, provider } = openLab(isolation, () => ({
      write: { 'a.txt': 'changed\n', 'new.txt': 'n\n', 'ghost.txt': 'gone\n' },
    }));
    const losing: ResponseProvider = {
      ...provider,
      async *stream(prompt, context, options) {
        for await (const event of provider.stream(prompt, context, options)) {
          // The manifest is made; a process that the step has left removes a file.
          const isOver = event.type === 'turn-complete';
          const ghost = isOver && event.result?.files.find(({ path }) => path === 'ghost.txt');
          if (ghost) rmSync(ghost.absolutePath);
          yield event;
        }
      },
    };
    const defaults = { workingDir: folder, isolation };
    const plan = { defaults, steps: [{ id: 'x', prompt: 'x' }] };
    const report = await runBatch(plan, { out, provider: losing, baseDir: folder });
    const { error } = report.steps[0] ?? {};
    const [, patch = ''] = /The changes are kept in (\S+)\. /.exec(error?.hint ?? '') ?? [];
    expect(error).toMatchObject({
      code: 'EXPECTATION_FAILED',
      message: 'Merged files are not on the disk as the step left them: ghost.txt',
      hint: expect.stringContaining('The merge was undone.'),
      missing: [{ kind: 'merge', paths: ['ghost.txt'] }],
    });
    expect(read(folder)).toEqual({ 'a.txt': 'one\ntwo\nthree\n' });
    expect(readFileSync(patch, 'utf8')).toContain('+++ b/new.txt');
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
