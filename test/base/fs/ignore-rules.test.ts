import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findRepository, readIgnoreRules } from '../../../src/base/fs/ignore-rules.js';
import { makeTree } from './make-tree.js';

/** Creates a repository and returns a function that tells if a path is ignored. A path that ends in `/` is a folder. */
function repository(files: Readonly<Record<string, string>>) {
  const root = makeTree({ '.git/HEAD': 'ref: refs/heads/main\n', ...files });
  const ignores = (path: string, names: readonly string[] = ['.gitignore']): boolean => {
    const isDirectory = path.endsWith('/');
    const parts = path.split('/').filter(Boolean);
    let rules = readIgnoreRules(root, names).enter(root);
    for (let depth = 1; depth < parts.length; depth++) {
      rules = rules.enter(join(root, ...parts.slice(0, depth)));
    }
    return rules.ignores(join(root, ...parts), isDirectory);
  };
  return { root, ignores };
}

describe('the repository of a folder', () => {
  it('is the nearest folder above with a .git', () => {
    const root = makeTree({
      '.git/HEAD': '',
      'a/b/': '',
      'inner/.git': 'gitdir: x',
      'inner/c/': '',
    });
    expect(findRepository(root)).toBe(root);
    expect(findRepository(join(root, 'a/b'))).toBe(root);
    expect(findRepository(join(root, 'inner/c'))).toBe(join(root, 'inner'));
  });

  it('is undefined for a folder outside any repository', () => {
    expect(findRepository(makeTree())).toBeUndefined();
  });
});

describe('an ignore file', () => {
  it('is case-sensitive, as git is on this platform', () => {
    const { ignores } = repository({ '.gitignore': 'Build/\n*.LOG\n' });
    expect([ignores('Build/'), ignores('build/'), ignores('a.LOG'), ignores('a.log')]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it.each([
    ['*.log', 'a.log', true],
    ['*.log', 'deep/down/a.log', true],
    ['*.log', 'a.txt', false],
    ['/top.txt', 'top.txt', true],
    ['/top.txt', 'sub/top.txt', false],
    ['build/', 'build/', true],
    ['build/', 'sub/build/', true],
    ['build/', 'build', false],
    ['docs/*.md', 'docs/a.md', true],
    ['docs/*.md', 'docs/sub/a.md', false],
    ['docs/**', 'docs/sub/a.md', true],
    ['# *.txt', 'a.txt', false],
    ['\\#a', '#a', true],
    ['a b.txt', 'a b.txt', true],
    ['*.log\n!keep.log', 'keep.log', false],
    ['*.log\n!keep.log', 'other.log', true],
    ['!keep.log\n*.log', 'keep.log', true],
  ])('with %j ignores "%s": %s', (rules, path, ignored) => {
    expect(repository({ '.gitignore': rules }).ignores(path)).toBe(ignored);
  });

  it('applies to its folder and below, not beside it', () => {
    const { ignores } = repository({ 'sub/.gitignore': '*.tmp\n/only-here' });
    expect(ignores('sub/a.tmp')).toBe(true);
    expect(ignores('sub/deep/a.tmp')).toBe(true);
    expect(ignores('sub/only-here')).toBe(true);
    expect(ignores('sub/deep/only-here')).toBe(false);
    expect(ignores('a.tmp')).toBe(false);
    expect(ignores('other/a.tmp')).toBe(false);
  });

  it('overrides ignore files of folders above it', () => {
    const { ignores } = repository({ '.gitignore': '*.log\n*.txt', 'sub/.gitignore': '!*.log' });
    expect(ignores('a.log')).toBe(true);
    expect(ignores('sub/a.log')).toBe(false);
    expect(ignores('sub/a.txt')).toBe(true);
  });

  it('overrides the exclude list of the repository', () => {
    const { ignores } = repository({
      '.git/info/exclude': '*.private\n*.both',
      '.gitignore': '!*.both',
    });
    expect(ignores('a.private')).toBe(true);
    expect(ignores('sub/a.private')).toBe(true);
    expect(ignores('a.both')).toBe(false);
  });

  it('is read only if its name was requested', () => {
    const { ignores } = repository({ '.gitignore': '*.log', '.geminiignore': '*.secret' });
    expect(ignores('a.secret')).toBe(false);
    expect(ignores('a.secret', ['.gitignore', '.geminiignore'])).toBe(true);
    expect(ignores('a.log', ['.geminiignore'])).toBe(false);
  });

  it('need not exist', () => {
    expect(repository({}).ignores('a.log')).toBe(false);
  });
});

describe('folders that are never part of a workspace', () => {
  it.each(['.git/', 'node_modules/', 'sub/node_modules/', 'bower_components/', '.svn/', '.hg/'])(
    'include %s',
    (path) => {
      expect(repository({ '.gitignore': '!node_modules\n!.git' }).ignores(path)).toBe(true);
    },
  );

  it('do not include a file of that name, or a folder whose name only contains it', () => {
    const { ignores } = repository({});
    expect(ignores('sub/.git')).toBe(false);
    expect(ignores('my_node_modules/')).toBe(false);
  });
});

describe('a workspace below the top of its repository', () => {
  const files = {
    '.git/info/exclude': '*.excluded',
    '.gitignore': '*.top\n/app/anchored',
    'packages/.gitignore': '*.mid',
    'packages/app/.gitignore': '!keep.mid',
  };

  it.each([
    ['a.top', true],
    ['a.mid', true],
    ['keep.mid', false],
    ['a.excluded', true],
    ['anchored', false],
    ['a.txt', false],
  ])('follows the rules above it: "%s" is ignored: %s', (name, ignored) => {
    const { root } = repository(files);
    const workspace = join(root, 'packages/app');
    const rules = readIgnoreRules(workspace, ['.gitignore']).enter(workspace);
    expect(rules.ignores(join(workspace, name), false)).toBe(ignored);
  });

  it('takes no rules from above outside a repository', () => {
    const root = makeTree({ '.gitignore': '*.log', 'app/': '' });
    const workspace = join(root, 'app');
    const rules = readIgnoreRules(workspace, ['.gitignore']).enter(workspace);
    expect(rules.ignores(join(workspace, 'a.log'), false)).toBe(false);
  });
});

describe('a hostile ignore file', () => {
  it('is not waited for if it is a pipe', () => {
    const { root, ignores } = repository({ 'a.txt': '' });
    execFileSync('mkfifo', [join(root, '.gitignore')]);
    expect(ignores('a.txt')).toBe(false);
  });

  it('has no effect if it is too large', () => {
    const { ignores } = repository({ '.gitignore': `a.txt\n${'# long\n'.repeat(200_000)}` });
    expect(ignores('a.txt')).toBe(false);
  });

  it('takes no time for patterns with many stars, and its other patterns count (claim: bounded-ignore-files)', () => {
    const slow = `${'*a'.repeat(30)}*b`;
    const { ignores } = repository({ '.gitignore': `${slow}\n*.log\n` });
    expect(ignores('a'.repeat(250))).toBe(false);
    expect(ignores('x.log')).toBe(true);
  });
});
