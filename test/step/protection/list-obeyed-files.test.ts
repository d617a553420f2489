import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { reserveFolder } from '../../../src/base/fs/reserved-folders.js';
import {
  listObeyedFiles,
  type ObeyedFilesRequest,
} from '../../../src/step/protection/list-obeyed-files.js';
import { makeFolder } from '../../fixtures/cli/support.js';

async function list(folder: string, more: Partial<ObeyedFilesRequest> = {}): Promise<string[]> {
  const files = await listObeyedFiles({
    workspaceDirs: [folder],
    geminiHome: undefined,
    added: [],
    isAdded: () => false,
    isDeep: false,
    ...more,
  });
  return [...files.keys()]
    .map((path) => relative(folder, path))
    .filter((path) => !path.startsWith('..'))
    .sort();
}

describe('the files that an agent obeys', () => {
  it('are those of the top, and with a deep search those of every folder', async () => {
    const folder = makeFolder({
      '.gemini/settings.json': '{}',
      '.gemini/tmp/log': 'x',
      '.env': 'A=1',
      'sub/.env': 'B=1',
      'sub/.gemini/commands/a.toml': 'x',
      'sub/.git': 'gitdir: elsewhere',
      'node_modules/a/.env': 'C=1',
      'other.txt': 'x',
    });
    const top = ['.env', '.gemini/settings.json'];
    expect(await list(folder)).toEqual(top);
    const below = ['sub/.env', 'sub/.gemini/commands/a.toml', 'sub/.git'];
    expect(await list(folder, { isDeep: true })).toEqual([...top, ...below].sort());
    const added = { added: ['*.txt'], isAdded: (path: string) => path.endsWith('.txt') };
    expect(await list(folder, { isDeep: true, ...added })).toContain('other.txt');
  });

  it('are config files of this package, up to the root of the repository (claim: config-file-protected)', async () => {
    const folder = makeFolder({
      '.git/HEAD': 'x',
      'gemini-cli-provider.json': '{}',
      'a/.config/gemini-cli-provider.yaml': '',
      'a/b/gemini-cli-provider.yml': '',
      'a/b/c/gemini-cli-provider.yaml': '',
    });
    const above = [
      'a/.config/gemini-cli-provider.yaml',
      'a/b/gemini-cli-provider.yml',
      'gemini-cli-provider.json',
    ];
    const workspaceDirs = [join(folder, 'a/b')];
    expect(await list(folder, { workspaceDirs })).toEqual(above);
    expect(await list(folder, { workspaceDirs, isDeep: true })).toEqual(
      [...above, 'a/b/c/gemini-cli-provider.yaml'].sort(),
    );
  });

  it('are those of the repository, its worktrees and its submodules', async () => {
    const folder = makeFolder({
      'main/.git/config': 'x',
      'main/.git/info/exclude': 'x',
      'main/.git/info/refs': 'x',
      'main/.git/hooks/pre-commit': 'x',
      'main/.git/modules/lib/config': 'x',
      'main/.git/modules/lib/hooks/post-merge': 'x',
      'main/.git/worktrees/w/commondir': '../..',
      'main/.git/worktrees/w/config.worktree': 'x',
    });
    mkdirSync(join(folder, 'w'));
    writeFileSync(join(folder, 'w', '.git'), `gitdir: ${join(folder, 'main/.git/worktrees/w')}\n`);
    const names = await list(folder, { workspaceDirs: [join(folder, 'w')] });
    expect(names).toEqual([
      'main/.git/config',
      'main/.git/hooks/pre-commit',
      'main/.git/info/exclude',
      'main/.git/modules/lib/config',
      'main/.git/modules/lib/hooks/post-merge',
      'main/.git/worktrees/w/commondir',
      'main/.git/worktrees/w/config.worktree',
      'w/.git',
    ]);
  });

  it('are those of the home of the CLI, its extensions, and folders behind links', async () => {
    const folder = makeFolder({
      'home/settings.json': '{}',
      'home/oauth.json': '{}',
      'home/policies/a.toml': 'x',
      'home/extensions/e/gemini-extension.json': '{}',
      'home/extensions/e/hooks/hooks.json': '{}',
      'home/extensions/e/other': 'x',
      'elsewhere/b.toml': 'x',
    });
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'home', 'commands'));
    const names = await list(folder, { workspaceDirs: [], geminiHome: join(folder, 'home') });
    expect(names).toEqual([
      'home/commands',
      'home/commands/b.toml',
      'home/extensions/e/gemini-extension.json',
      'home/extensions/e/hooks/hooks.json',
      'home/policies/a.toml',
      'home/settings.json',
    ]);
  });

  it('are absolute paths of the caller, but not in a folder that this process has reserved (claim: lease-protected)', async () => {
    const folder = makeFolder({ 'kept/a': 'x', 'out/.batch/lease-1.json': '{}' });
    const reserved = join(folder, 'out', '.batch');
    onTestFinished(reserveFolder(reserved));
    const added = [join(folder, 'kept/**'), reserved];
    expect(await list(folder, { added, isAdded: () => true })).toEqual(['kept/a']);
  });
});
