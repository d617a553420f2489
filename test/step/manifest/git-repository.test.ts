import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GitRepository } from '../../../src/step/manifest/git-repository.js';
import { git as gitIn } from '../../base/git/git-as-user.js';
import { addFiles, makeFolder } from '../../fixtures/cli/support.js';

function makeRepository(format: 'sha1' | 'sha256' = 'sha1') {
  const folder = makeFolder({ 'a.txt': '1', '[x]/b.txt': '1' });
  const git = (...args: string[]) => gitIn(folder, ...args);
  git('init', '-q', `--object-format=${format}`);
  return { folder, git };
}

describe('a repository', () => {
  it('lists dirty files, tracked files and nested repositories of one folder, whose name is taken literally', async () => {
    const { folder, git } = makeRepository();
    git('add', '-A');
    git('commit', '-qm', 'x');
    addFiles(folder, { 'x/no.txt': '', '[x]/c.txt': '', '[x]/b.txt': '2', '[x]/inner/d.txt': '' });
    git('init', '-q', join(folder, '[x]/inner'));
    const repository = await GitRepository.open(join(folder, '[x]'));
    expect(repository?.top).toBe(folder);
    expect(await repository?.readStatus()).toEqual({
      dirty: { readable: ['[x]/b.txt', '[x]/c.txt'], unreadable: [] },
      nested: { readable: ['[x]/inner'], unreadable: [] },
      tracked: new Set(['[x]/b.txt']),
      head: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
    expect(await repository?.hasLostFolder()).toBe(false);
    git('init', '-q', join(folder, '[x]'));
    expect(await repository?.hasLostFolder()).toBe(true);
  });

  it.each(['sha1', 'sha256'] as const)(
    'lists the files of the first commit (%s)',
    async (format) => {
      const { folder, git } = makeRepository(format);
      const repository = await GitRepository.open(folder);
      expect((await repository?.readStatus())?.head).toBeUndefined();
      git('add', '-A');
      git('commit', '-qm', 'x');
      const head = (await repository?.readStatus())?.head;
      const names = ['[x]/b.txt', 'a.txt'];
      expect((await repository?.listDifferences(undefined, head))?.readable).toEqual(names);
      expect(await repository?.listCommitted(head)).toEqual(new Set(names));
      expect(await repository?.listCommitted(undefined)).toEqual(new Set());
    },
  );
});
