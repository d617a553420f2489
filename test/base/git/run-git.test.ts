import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { askGit } from '../../../src/base/git/run-git.js';
import { makeTree } from '../fs/make-tree.js';

function makeRepository(): string {
  const folder = makeTree({ 'a.txt': 'a\n' });
  execFileSync('git', ['init', '-q', folder]);
  return folder;
}

describe('askGit', () => {
  it('returns stdout and the exit code', async () => {
    const folder = makeRepository();
    const found = await askGit({ folder }, ['rev-parse', '--show-toplevel']);
    expect(found).toMatchObject({ exitCode: 0, stdout: Buffer.from(`${folder}\n`) });
    const none = await askGit({ folder }, ['rev-parse', '--verify', '--quiet', 'HEAD']);
    expect(none).toMatchObject({ exitCode: 1, stdout: Buffer.alloc(0) });
  });

  it('returns the error message of git', async () => {
    const { exitCode, stderrTail } = await askGit({ folder: makeTree() }, ['status']);
    expect(exitCode).toBe(128);
    expect(stderrTail).toMatch(/^fatal: not a git repository/);
  });

  it('uses another index and leaves the index of the repository unchanged', async () => {
    const folder = makeRepository();
    const dir = { folder, gitDir: join(folder, '.git'), indexFile: join(makeTree(), 'index') };
    const stdin = Buffer.from('a.txt\0');
    await askGit(dir, ['update-index', '--add', '-z', '--stdin'], { stdin });
    expect(String((await askGit(dir, ['ls-files', '-z'])).stdout)).toBe('a.txt\0');
    expect(existsSync(join(folder, '.git/index'))).toBe(false);
  });

  it('runs no hook', async () => {
    const folder = makeRepository();
    const trace = join(makeTree(), 'trace');
    const hook = join(folder, '.git/hooks/post-checkout');
    writeFileSync(hook, `#!/bin/sh\necho x >> '${trace}'\n`);
    chmodSync(hook, 0o755);
    await askGit({ folder }, ['add', 'a.txt']);
    await askGit({ folder }, ['commit', '-qm', 'x']);
    await askGit({ folder }, ['checkout', '-q', '-b', 'one']);
    expect(existsSync(trace)).toBe(false);
    execFileSync('git', ['-C', folder, 'checkout', '-q', '-b', 'two']);
    expect(readFileSync(trace, 'utf8')).toBe('x\n');
  });
});
