import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ConfigValues, resolveConfig } from '../../../src/config/resolve-config.js';
import { ProtectedFiles } from '../../../src/step/protection/protected-files.js';
import { makeFolder } from '../../fixtures/cli/support.js';

const ANY = { hasUnseen: true, claimed: new Set<string>() };

async function protect(workingDir: string, values: ConfigValues = {}, isDeep = true) {
  const config = resolveConfig(values);
  const geminiHome = join(makeFolder(), '.gemini');
  const step = { config, workingDir, workspaceDirs: [workingDir], geminiHome, generationId: 'g' };
  const files = await ProtectedFiles.take(step, isDeep);
  onTestFinished(() => files.release());
  return files;
}

function put(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

const FILES = {
  '.gemini/settings.json': '{}',
  '.env': 'A=1',
  '.git/config': '[core]',
  '.git/HEAD': 'ref: refs/heads/main',
  '.git/hooks/pre-commit': '#!/bin/sh',
  'packages/a/.env': 'B=1',
  'src/a.ts': 'a',
};

describe('protected files', () => {
  it('are restored if they were changed, removed or created (claim: protected-paths-undone)', async () => {
    const folder = makeFolder(FILES);
    chmodSync(join(folder, '.git/hooks/pre-commit'), 0o755);
    const files = await protect(folder);
    put(join(folder, '.gemini/settings.json'), '{"hooks":{}}');
    put(join(folder, '.gemini/commands/x.toml'), 'x');
    put(join(folder, '.git/hooks/post-checkout'), 'x');
    put(join(folder, '.git/hooks/pre-commit'), 'evil');
    put(join(folder, '.git/config'), '[core]\nfsmonitor = evil');
    put(join(folder, '.git/refs/heads/main'), '0000');
    put(join(folder, 'packages/a/.env'), 'B=2');
    put(join(folder, 'packages/b/.gemini/settings.json'), '{}');
    put(join(folder, 'src/a.ts'), 'changed');
    rmSync(join(folder, '.env'));
    const undone = await files.settle(ANY);
    expect(undone.map(({ path }) => path.slice(folder.length + 1)).sort()).toEqual([
      '.env',
      '.gemini/commands/x.toml',
      '.gemini/settings.json',
      '.git/config',
      '.git/hooks/post-checkout',
      '.git/hooks/pre-commit',
      'packages/a/.env',
      'packages/b/.gemini/settings.json',
    ]);
    expect(undone.every(({ isRestored }) => isRestored)).toBe(true);
    for (const [name, content] of Object.entries(FILES).slice(0, 6))
      expect(readFileSync(join(folder, name), 'utf8')).toBe(content);
    expect(statSync(join(folder, '.git/hooks/pre-commit')).mode & 0o777).toBe(0o755);
    expect(existsSync(join(folder, 'packages/b/.gemini'))).toBe(false);
    expect(existsSync(join(folder, '.gemini/commands'))).toBe(false);
    expect(readFileSync(join(folder, 'src/a.ts'), 'utf8')).toBe('changed');
    expect(readFileSync(join(folder, '.git/refs/heads/main'), 'utf8')).toBe('0000');
  });

  it('are left alone if no tool of the agent can have changed them', async () => {
    const folder = makeFolder(FILES);
    const files = await protect(folder);
    put(join(folder, '.env'), 'A=2');
    put(join(folder, '.gemini/settings.json'), '{ }');
    const claimed = new Set([join(folder, '.gemini/settings.json')]);
    const undone = await files.settle({ hasUnseen: false, claimed });
    expect(undone.map(({ path }) => path)).toEqual([join(folder, '.gemini/settings.json')]);
    expect(readFileSync(join(folder, '.env'), 'utf8')).toBe('A=2');
  });

  it('are not searched for behind a link that replaces their folder', async () => {
    const folder = makeFolder(FILES);
    const elsewhere = makeFolder({ 'settings.json': '{}', 'mine.txt': 'mine' });
    const files = await protect(folder);
    rmSync(join(folder, '.gemini'), { recursive: true });
    symlinkSync(elsewhere, join(folder, '.gemini'));
    await files.settle(ANY);
    expect(readFileSync(join(elsewhere, 'mine.txt'), 'utf8')).toBe('mine');
    expect(readFileSync(join(elsewhere, 'settings.json'), 'utf8')).toBe('{}');
    expect(statSync(join(folder, '.gemini')).ino).not.toBe(statSync(elsewhere).ino);
    expect(readFileSync(join(folder, '.gemini/settings.json'), 'utf8')).toBe('{}');
  });

  it('may be links and folders', async () => {
    const folder = makeFolder({ 'real.env': 'A=1' });
    symlinkSync('real.env', join(folder, '.env'));
    const files = await protect(folder);
    rmSync(join(folder, '.env'));
    put(join(folder, '.env/inside'), 'x');
    const [undone] = await files.settle(ANY);
    expect(undone?.isRestored).toBe(true);
    expect(readlinkSync(join(folder, '.env'))).toBe('real.env');
  });

  it('include the repository of a worktree, also beside a step at work elsewhere', async () => {
    await protect(makeFolder(FILES));
    const repository = makeFolder({
      '.git/config': '[core]',
      '.git/worktrees/w/commondir': '../..\n',
      '.git/worktrees/w/HEAD': 'ref',
    });
    const worktree = makeFolder({ '.git': `gitdir: ${join(repository, '.git/worktrees/w')}\n` });
    const files = await protect(worktree);
    put(join(repository, '.git/config'), 'evil');
    put(join(repository, '.git/hooks/pre-commit'), 'evil');
    put(join(repository, '.git/worktrees/other/commondir'), 'of another step');
    put(join(worktree, '.git'), 'gitdir: /elsewhere');
    await files.settle(ANY);
    expect(readFileSync(join(repository, '.git/config'), 'utf8')).toBe('[core]');
    expect(existsSync(join(repository, '.git/hooks/pre-commit'))).toBe(false);
    expect(existsSync(join(repository, '.git/worktrees/other/commondir'))).toBe(true);
    expect(readFileSync(join(worktree, '.git'), 'utf8')).toContain(repository);
  });

  it('include the globs and absolute paths of the caller, in every mode', async () => {
    const folder = makeFolder({ 'conf/a.json': '1', 'b.lock': '1', '.env': 'A=1' });
    const outside = makeFolder({ 'x.txt': '1' });
    const protectedPaths = ['conf/**', '*.lock', outside];
    const files = await protect(folder, { approvalMode: 'yolo', protectedPaths });
    for (const path of ['conf/a.json', 'b.lock', '.env']) put(join(folder, path), '2');
    put(join(outside, 'x.txt'), '2');
    put(join(outside, 'y.txt'), '2');
    expect(await files.settle(ANY)).toHaveLength(4);
    expect(readFileSync(join(folder, 'conf/a.json'), 'utf8')).toBe('1');
    expect(readFileSync(join(outside, 'x.txt'), 'utf8')).toBe('1');
    expect(existsSync(join(outside, 'y.txt'))).toBe(false);
    expect(readFileSync(join(folder, '.env'), 'utf8')).toBe('2');
  });

  it('are restored beside a step at work in another folder, although they are newer than that step', async () => {
    await protect(makeFolder(FILES));
    const folder = makeFolder(FILES);
    const files = await protect(folder);
    put(join(folder, '.env'), 'evil');
    put(join(folder, '.git/config'), 'evil');
    expect((await files.settle(ANY)).map(({ path }) => path.slice(folder.length + 1))).toEqual([
      '.env',
      '.git/config',
    ]);
    expect(readFileSync(join(folder, '.env'), 'utf8')).toBe('A=1');
  });

  it('take the old content from a step that is still at work', async () => {
    const folder = makeFolder(FILES);
    const first = await protect(folder);
    put(join(folder, '.env'), 'evil');
    put(join(folder, '.gemini/new.json'), 'evil');
    const second = await protect(folder);
    await first.settle(ANY);
    first.release();
    await second.settle(ANY);
    expect(readFileSync(join(folder, '.env'), 'utf8')).toBe('A=1');
    expect(existsSync(join(folder, '.gemini/new.json'))).toBe(false);
  });

  it('are those that commands of a check have left', async () => {
    const folder = makeFolder(FILES);
    const files = await protect(folder);
    put(join(folder, '.env'), 'by check');
    await files.accept();
    expect(await files.settle(ANY)).toEqual([]);
    put(join(folder, '.env'), 'evil');
    await files.settle(ANY);
    expect(readFileSync(join(folder, '.env'), 'utf8')).toBe('by check');
  });

  it('that are too large to be kept are reported, not restored', async () => {
    const folder = makeFolder({ '.env': 'x'.repeat(2 * 1024 * 1024) });
    const files = await protect(folder);
    put(join(folder, '.env'), 'small');
    expect(await files.settle(ANY)).toMatchObject([{ isRestored: false }]);
    expect(readFileSync(join(folder, '.env'), 'utf8')).toBe('small');
  });
});

describe('a file that an earlier step has changed', () => {
  it('is known to a later step as long as it stays so (claim: protected-change-announced)', async () => {
    const folder = makeFolder(FILES);
    const yolo = await protect(folder, { approvalMode: 'yolo' });
    expect(yolo.changedEarlier).toEqual([]);
    put(join(folder, '.gemini/settings.json'), `{"by":"${folder}"}`);
    rmSync(join(folder, '.env'));
    expect(await yolo.settle(ANY)).toEqual([]);
    yolo.release();
    const later = await protect(folder, {}, false);
    expect(later.changedEarlier).toEqual([
      { path: join(folder, '.gemini/settings.json'), generationId: 'g' },
      { path: join(folder, '.env'), generationId: 'g' },
    ]);
    const copy = makeFolder({ '.gemini/settings.json': `{"by":"${folder}"}` });
    expect((await protect(copy)).changedEarlier).toHaveLength(1);
    put(join(folder, '.gemini/settings.json'), '{"by":"the user"}');
    put(join(folder, '.env'), 'A=1');
    expect((await protect(folder)).changedEarlier).toEqual([]);
  });
});
