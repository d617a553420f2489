import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findRulesFolder, listWorkspace } from '../../../src/step/manifest/list-workspace.js';
import { makeFolder } from '../../fixtures/cli/support.js';

describe('the files of a workspace', () => {
  it('are those that neither .geminiignore nor .gitignore excludes', async () => {
    const folder = makeFolder({
      '.gitignore': 'a\n',
      '.geminiignore': 'b\n',
      a: '',
      b: '',
      'sub/c': '',
    });
    const { paths, obstacles } = await listWorkspace(join(folder, 'sub'), folder);
    expect(paths).toEqual([join(folder, 'sub/c')]);
    expect(obstacles).toEqual([]);
    const all = await listWorkspace(folder, folder);
    expect(all.paths).toHaveLength(3);
  });
});

describe('the folder whose ignore rules apply', () => {
  it('is the repository around the workspace, unless it ignores the workspace', () => {
    const repository = makeFolder({
      '.git/HEAD': '',
      '.gitignore': 'out/\n',
      'a/b': '',
      'out/c': '',
    });
    expect(findRulesFolder(repository)).toBe(repository);
    expect(findRulesFolder(join(repository, 'a'))).toBe(repository);
    expect(findRulesFolder(join(repository, 'out'))).toBe(join(repository, 'out'));
  });

  it('is the workspace itself if there is no repository', () => {
    const folder = makeFolder({ '.gitignore': 'sub/\n', 'sub/a': '' });
    expect(findRulesFolder(join(folder, 'sub'))).toBe(join(folder, 'sub'));
  });
});
