import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { MergeOrderOption } from '../../../src/api/batch-limits.js';
import type { Isolation, PlanStep } from '../../../src/api/batch-plan.js';
import type { BatchReport } from '../../../src/api/batch-report.js';
import { runBatch } from '../../../src/batch/run/run-batch.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { makeRepository } from '../isolation/support.js';
import { keepEntries } from '../run/edit-ledger.js';
import { type Answer, type Call, createScriptedProvider } from '../run/scripted-provider.js';

function openLab(
  isolation: Isolation,
  answer: (call: Call) => Answer | Promise<Answer>,
  files: Readonly<Record<string, string>> = { 'a.txt': 'a\n', 'user.txt': 'u\n' },
) {
  const { folder, git } = makeRepository(files);
  git('config', 'user.name', 'User');
  git('config', 'user.email', 'user@example.com');
  const out = join(makeTree(), 'out');
  const provider = createScriptedProvider(answer);
  const run = (
    steps: readonly PlanStep[],
    more: { readonly commit?: boolean | string; readonly mergeOrder?: MergeOrderOption } = {},
  ) => {
    const { commit = true, mergeOrder } = more;
    const defaults = { workingDir: folder, isolation, commit, retries: 0 };
    return runBatch(
      { vars: { kind: 'feat' }, defaults, steps },
      { out, provider, baseDir: folder, mergeOrder },
    );
  };
  const subjects = (): string[] => git('log', '--format=%s').trim().split('\n');
  return { folder, git, out, provider, run, subjects };
}

const step = (id: string, more: Partial<PlanStep> = {}): PlanStep => ({ id, prompt: id, ...more });
const commitsOf = ({ steps }: BatchReport) => steps.map(({ commit }) => commit);

describe.each<Isolation>(['shared', 'worktree', 'copy'])('commits of %s steps', (isolation) => {
  it('have the files of the step alone, and leave the rest to the user', async () => {
    const { folder, git, out, run, subjects } = openLab(isolation, ({ prompt }) => ({
      text: `Wrote ${prompt}.\nMore.`,
      write: prompt === 'nothing' ? {} : { [`${prompt}.txt`]: prompt },
    }));
    writeFileSync(join(folder, 'user.txt'), 'staged\n');
    git('add', 'user.txt');
    writeFileSync(join(folder, 'user.txt'), 'changed\n');
    writeFileSync(join(folder, 'untracked.txt'), 'x\n');
    const before = git('status', '--porcelain');
    const report = await run([
      step('a'),
      step('nothing', { needs: 'a' }),
      step('c', { needs: 'a', commit: '{{kind}}({{id}}): {{text}}' }),
      step('none', { needs: 'c', commit: false }),
    ]);
    expect(report.outcome).toBe('succeeded');
    expect(subjects()).toEqual(['feat(c): Wrote c. More.', 'a: Wrote a.', 'first']);
    expect(git('show', '--format=', '--name-only', 'HEAD').trim()).toBe('c.txt');
    expect(git('show', '--format=', '--name-only', 'HEAD~').trim()).toBe('a.txt');
    const lines = (status: string): string[] => status.trim().split('\n').sort();
    expect(lines(git('status', '--porcelain'))).toEqual(lines(`${before}?? none.txt`));
    expect(git('show', ':user.txt')).toBe('staged\n');
    const [a, c] = git('rev-parse', 'HEAD~', 'HEAD').trim().split('\n');
    expect(commitsOf(report)).toEqual([a, undefined, c, undefined]);
    const written = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'));
    expect(written.steps[0].commit).toBe(a);
    expect(report.warnings).toEqual([]);
  });

  it.each<MergeOrderOption>(['finish', 'plan'])(
    'are made one after another for parallel steps (merge order %s)',
    async (mergeOrder) => {
      const { git, run, subjects } = openLab(isolation, ({ prompt }) => ({
        write: { [`${prompt}.txt`]: prompt, 'ünï/cödé.txt': 'same' },
      }));
      const ids = ['p1', 'p2', 'p3', 'p4', 'p5'];
      const report = await run(
        ids.map((id) => step(id)),
        { mergeOrder },
      );
      expect(report.outcome).toBe('succeeded');
      expect(subjects().sort()).toEqual(['first', ...ids.map((id) => `${id}: ok`)].sort());
      for (const { id, commit = '' } of report.steps) {
        const names = git('-c', 'core.quotePath=false', 'show', '--format=', '--name-only', commit);
        expect(
          names
            .trim()
            .split('\n')
            .filter((name) => name.startsWith('p')),
        ).toEqual([`${id}.txt`]);
      }
      expect(git('ls-files').includes('c\\303\\266d\\303\\251')).toBe(true);
      expect(git('status', '--porcelain')).toBe('');
    },
  );

  it('are made by the next run after a kill between the result and the commit', async () => {
    const { git, out, provider, run, subjects } = openLab(isolation, ({ prompt }) => ({
      write: { [`${prompt}.txt`]: prompt },
    }));
    // Without `commit`, the first run leaves the ledger as a kill right after the line `done` does.
    await run([step('a')], { commit: false });
    keepEntries(out, ({ type }) => type !== 'end');
    expect(subjects()).toEqual(['first']);
    const report = await run([step('a')]);
    expect(provider.calls).toHaveLength(1);
    expect(subjects()).toEqual(['a: ok', 'first']);
    expect(commitsOf(report)).toEqual([git('rev-parse', 'HEAD').trim()]);
    expect(report.steps[0]).toMatchObject({ reused: true });

    // A kill after the commit and before its line: the commit is found, not made again.
    keepEntries(out, ({ type }) => type !== 'end' && type !== 'committed');
    expect(commitsOf(await run([step('a')]))).toEqual(commitsOf(report));
    // Another message neither runs the step nor commits again.
    expect(commitsOf(await run([step('a')], { commit: 'other' }))).toEqual(commitsOf(report));
    expect(subjects()).toEqual(['a: ok', 'first']);
    expect(provider.calls).toHaveLength(1);
  });
});

describe('a commit that fails', () => {
  it('without an author is a warning, and is made when the author is known', async () => {
    const { git, run, subjects } = openLab('shared', () => ({ write: { 'b.txt': 'b' } }));
    git('config', '--unset', 'user.name');
    git('config', '--unset', 'user.email');
    for (const name of ['GIT_AUTHOR', 'GIT_COMMITTER']) {
      vi.stubEnv(`${name}_NAME`, undefined);
      vi.stubEnv(`${name}_EMAIL`, undefined);
    }
    vi.stubEnv('EMAIL', undefined);
    vi.stubEnv('GIT_CONFIG_GLOBAL', '/dev/null');
    vi.stubEnv('GIT_CONFIG_NOSYSTEM', '1');
    onTestFinished(() => void vi.unstubAllEnvs());
    const report = await run([step('b')]);
    expect(report).toMatchObject({ outcome: 'succeeded', steps: [{ state: 'succeeded' }] });
    expect(report.warnings).toMatchObject([{ code: 'COMMIT_FAILED', steps: ['b'] }]);
    expect(report.warnings[0]?.message).toContain('user.name');
    expect(git('status', '--porcelain').trim()).toBe('?? b.txt');
    vi.stubEnv('GIT_AUTHOR_NAME', 'Env');
    vi.stubEnv('GIT_AUTHOR_EMAIL', 'env@example.com');
    git('config', 'user.name', 'User');
    git('config', 'user.email', 'user@example.com');
    const next = await run([step('b')]);
    expect(next.warnings).toEqual([]);
    expect(subjects()).toEqual(['b: ok', 'first']);
    expect(git('log', '-1', '--format=%an %cn').trim()).toBe('Env User');
  });

  it('at a locked branch is a warning with the remedy, and the next step is committed alone', async () => {
    const { folder, git, run, subjects } = openLab('worktree', ({ prompt }) => {
      const lock = join(folder, '.git/refs/heads/main.lock');
      if (prompt === 'b') writeFileSync(lock, '');
      else rmSync(lock);
      return { write: { [`${prompt}.txt`]: prompt } };
    });
    const report = await run([step('b'), step('c', { needs: 'b' })]);
    expect(report.outcome).toBe('succeeded');
    expect(report.warnings).toMatchObject([{ code: 'COMMIT_FAILED', steps: ['b'] }]);
    expect(report.warnings[0]?.message).toMatch(/cannot lock ref.*remove its lock file/s);
    expect(subjects()).toEqual(['c: ok', 'first']);
    expect(git('status', '--porcelain').trim()).toBe('?? b.txt');
    await run([step('b'), step('c', { needs: 'b' })]);
    expect(subjects()).toEqual(['b: ok', 'c: ok', 'first']);
  });

  it('tells how to repair an index that stays locked', async () => {
    const { folder, run, subjects } = openLab('shared', () => {
      writeFileSync(join(folder, '.git/index.lock'), '');
      return { write: { 'b.txt': 'b' } };
    });
    const report = await run([step('b')]);
    expect(subjects()).toEqual(['b: ok', 'first']);
    expect(report.warnings).toMatchObject([{ code: 'COMMIT_FAILED', paths: ['b.txt'] }]);
    expect(report.warnings[0]?.message).toContain('git reset');
    expect(commitsOf(report)[0]).toMatch(/^\w{40}$/);
  });
});

describe('files of a step that are no files of its repository', () => {
  it('are not committed: outside, in a nested repository, in .git', async () => {
    const { folder, git, run } = openLab('shared', () => ({
      write: { '../outside.txt': 'x', 'nested/x.txt': 'x', '.git/x': 'x', '..b.txt': 'b' },
    }));
    mkdirSync(join(folder, 'nested'));
    execFileSync('git', ['init', '-q', join(folder, 'nested')]);
    const report = await run([step('b')]);
    rmSync(join(folder, '../outside.txt'));
    expect(report.warnings).toEqual([]);
    expect(git('show', '--format=', '--name-only', 'HEAD').trim()).toBe('..b.txt');
  });
});
