import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeTree } from '../../base/fs/make-tree.js';
import { git } from '../../base/git/git-as-user.js';
import { edit, type Files, LINES } from './support.js';

/** A workspace out of the ordinary. */
export interface OddWorkspace {
  readonly name: string;
  /** True if the short version of the test has it. */
  readonly isCommon?: boolean;
  /** Creates the workspace. Returns its folder, which has the file `a.txt` unless `files` says otherwise. */
  readonly make: () => string;
  /** Part of the message with which a worktree of it is refused; absent if the worktree works. */
  readonly refused?: RegExp;
  /** True if a merge from a worktree may also be refused, depending on the user or on git. */
  readonly mayRefuse?: boolean;
}

const FILES = { 'a.txt': LINES, 'gone.txt': 'g\n', 'dir/b.txt': 'b\n' };
const LOCAL = ['-c', 'protocol.file.allow=always'];

/** Creates a repository with these files in its first commit. */
function repository(files: Files = FILES, ...options: readonly string[]): string {
  const folder = makeTree(files);
  git(folder, 'init', '-q', '-b', 'main', '--template=', ...options);
  commitAll(folder);
  return folder;
}

function commitAll(folder: string): void {
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'first', '--allow-empty');
}

function clone(...options: readonly string[]): string {
  const origin = repository();
  edit(origin, { 'a.txt': `${LINES}eight\n` });
  commitAll(origin);
  const folder = join(makeTree(), 'clone');
  git(origin, ...LOCAL, 'clone', '-q', ...options, `file://${origin}`, folder);
  return folder;
}

function configured(settings: readonly (readonly [string, string])[], attributes = ''): string {
  const folder = makeTree(FILES);
  git(folder, 'init', '-q', '--template=');
  for (const [key, value] of settings) git(folder, 'config', key, value);
  if (attributes !== '') edit(folder, { '.gitattributes': attributes });
  commitAll(folder);
  return folder;
}

function below(name: string): string {
  const folder = join(makeTree(), name);
  renameSync(repository(), folder);
  return folder;
}

export const ODD_WORKSPACES: readonly OddWorkspace[] = [
  { name: 'a repository', make: () => repository() },
  {
    name: 'a repository without a commit',
    isCommon: true,
    make: () => {
      const folder = makeTree(FILES);
      git(folder, 'init', '-q', '--template=');
      return folder;
    },
  },
  {
    name: 'a repository without files',
    isCommon: true,
    make: () => repository({}),
  },
  {
    name: 'an empty folder',
    isCommon: true,
    make: () => makeTree(),
    refused: /needs a git repository/,
  },
  {
    name: 'a detached HEAD',
    isCommon: true,
    make: () => {
      const folder = repository();
      git(folder, 'checkout', '-q', '--detach');
      return folder;
    },
  },
  { name: 'a shallow clone', isCommon: true, make: () => clone('--depth=1') },
  { name: 'a partial clone', make: () => clone('--filter=blob:none') },
  { name: 'a clone with shared objects', make: () => clone('--shared') },
  {
    name: 'a sparse checkout',
    isCommon: true,
    make: () => {
      const folder = repository({ ...FILES, 'out/x.txt': 'x\n' });
      git(folder, 'sparse-checkout', 'set', 'dir');
      return folder;
    },
  },
  {
    name: 'a submodule in it',
    isCommon: true,
    make: () => {
      const folder = repository();
      git(folder, ...LOCAL, 'submodule', 'add', '-q', repository(), 'lib');
      commitAll(folder);
      return folder;
    },
  },
  {
    name: 'the folder of a submodule',
    make: () => {
      const folder = repository();
      git(folder, ...LOCAL, 'submodule', 'add', '-q', repository(), 'lib');
      return join(folder, 'lib');
    },
  },
  {
    name: 'a link to a commit without a submodule',
    isCommon: true,
    make: () => {
      const folder = repository();
      const commit = git(folder, 'rev-parse', 'HEAD').trim();
      git(folder, 'update-index', '--add', '--cacheinfo', `160000,${commit},lib`);
      git(folder, 'commit', '-qm', 'link');
      return folder;
    },
  },
  {
    name: 'another repository in it',
    isCommon: true,
    make: () => {
      const folder = repository();
      renameSync(repository(), join(folder, 'own'));
      return folder;
    },
  },
  {
    name: 'a repository of SHA-256',
    isCommon: true,
    make: () => repository(FILES, '--object-format=sha256'),
  },
  { name: 'a line end in its path', isCommon: true, make: () => below('two\nlines') },
  { name: 'quotes and spaces in its path', make: () => below(`it's "odd" $HOME ; : \\x`) },
  {
    name: 'a link as its path',
    isCommon: true,
    make: () => {
      const link = join(makeTree(), 'link');
      symlinkSync(repository(), link);
      return link;
    },
  },
  {
    name: 'a bare repository',
    isCommon: true,
    make: () => {
      const folder = clone('--bare');
      writeFileSync(join(folder, 'a.txt'), LINES);
      return folder;
    },
    refused: /bare repository/,
  },
  {
    name: 'the .git of a repository',
    make: () => join(repository(), '.git'),
    refused: /bare repository or inside \.git/,
  },
  {
    name: 'a worktree of a bare repository',
    isCommon: true,
    make: () => {
      const folder = join(makeTree(), 'tree');
      git(clone('--bare'), 'worktree', 'add', '-q', '--detach', folder);
      return folder;
    },
  },
  {
    name: 'a worktree of a worktree',
    make: () => {
      const [one, two] = [join(makeTree(), 'one'), join(makeTree(), 'two')];
      git(repository(), 'worktree', 'add', '-q', '--detach', one);
      git(one, 'worktree', 'add', '-q', '--detach', two);
      return two;
    },
  },
  {
    name: 'a .git file',
    isCommon: true,
    make: () => repository(FILES, `--separate-git-dir=${join(makeTree(), 'elsewhere')}`),
  },
  {
    name: 'a link as .git',
    make: () => {
      const folder = repository();
      const elsewhere = join(makeTree(), 'elsewhere');
      renameSync(join(folder, '.git'), elsewhere);
      symlinkSync(elsewhere, join(folder, '.git'));
      return folder;
    },
  },
  {
    name: 'a filter for large files',
    isCommon: true,
    make: () => {
      return configured(
        [
          ['filter.large.clean', 'sed s/^/pointer:/'],
          ['filter.large.smudge', 'sed s/^pointer://'],
          ['filter.large.required', 'true'],
        ],
        '*.txt filter=large\n',
      );
    },
  },
  { name: 'core.autocrlf', make: () => configured([['core.autocrlf', 'true']]) },
  { name: 'core.fileMode off', make: () => configured([['core.fileMode', 'false']]) },
  { name: 'core.ignoreCase', make: () => configured([['core.ignoreCase', 'true']]) },
  { name: 'attributes that convert', make: () => configured([], '*.txt text eol=crlf ident\n') },
  {
    name: 'hooks that fail',
    make: () => {
      const folder = repository();
      const hooks = join(folder, '.git', 'hooks');
      mkdirSync(hooks);
      for (const name of ['pre-commit', 'post-checkout', 'reference-transaction']) {
        writeFileSync(join(hooks, name), '#!/bin/sh\nexit 1\n');
        chmodSync(join(hooks, name), 0o755);
      }
      return folder;
    },
  },
  {
    name: 'a merge with conflicts under way',
    make: () => {
      const folder = repository();
      git(folder, 'checkout', '-qb', 'other');
      edit(folder, { 'dir/b.txt': 'other\n' });
      commitAll(folder);
      git(folder, 'checkout', '-q', 'main');
      edit(folder, { 'dir/b.txt': 'main\n' });
      commitAll(folder);
      try {
        git(folder, 'merge', '-q', 'other');
      } catch {
        // The merge stops with a conflict, as it should.
      }
      return folder;
    },
  },
  {
    name: 'a stash, staged and unstaged changes',
    make: () => {
      const folder = repository();
      edit(folder, { 'dir/b.txt': 'stashed\n' });
      git(folder, 'stash', '-q');
      edit(folder, { 'staged.txt': 's\n', 'dir/b.txt': 'staged\n' });
      git(folder, 'add', '-A');
      edit(folder, { 'dir/b.txt': 'unstaged\n', 'untracked.txt': 'u\n' });
      return folder;
    },
  },
  {
    name: 'a locked index',
    make: () => {
      const folder = repository();
      writeFileSync(join(folder, '.git', 'index.lock'), '');
      return folder;
    },
  },
  {
    name: 'files that git does not look at',
    make: () => {
      const folder = repository();
      git(folder, 'update-index', '--assume-unchanged', 'a.txt');
      git(folder, 'update-index', '--skip-worktree', 'dir/b.txt');
      edit(folder, { 'dir/b.txt': 'changed\n', 'later.txt': 'l\n' });
      git(folder, 'add', '-N', 'later.txt');
      return folder;
    },
  },
  {
    name: 'a folder that its repository ignores',
    make: () => {
      const folder = repository({ '.gitignore': 'sub\n' });
      edit(folder, { 'sub/a.txt': LINES, 'sub/gone.txt': 'g\n' });
      return join(folder, 'sub');
    },
    refused: /is ignored by its repository/,
  },
  {
    name: 'names as long as the disk allows',
    isCommon: true,
    make: () => {
      const deep = Array.from({ length: 8 }, () => 'd'.repeat(200)).join('/');
      return repository({ ...FILES, ['n'.repeat(255)]: 'n\n', [`${deep}/x`]: 'x\n' });
    },
  },
  {
    name: 'a missing object',
    make: () => {
      const folder = repository();
      const objects = join(folder, '.git', 'objects');
      const commit = git(folder, 'rev-parse', 'HEAD').trim();
      const tree = git(folder, 'rev-parse', 'HEAD^{tree}').trim();
      for (const name of [commit, tree]) {
        rmSync(join(objects, name.slice(0, 2), name.slice(2)), { force: true });
      }
      return folder;
    },
    mayRefuse: true,
  },
  {
    name: 'a read-only .git',
    isCommon: true,
    make: () => {
      const folder = repository();
      for (const name of readdirSync(join(folder, '.git'))) {
        chmodSync(join(folder, '.git', name), 0o555);
      }
      chmodSync(join(folder, '.git'), 0o555);
      return folder;
    },
    mayRefuse: true,
  },
];

/** Returns the git folder of a workspace, if there is one. */
export function gitFolder(workspace: string): string | undefined {
  try {
    const found = git(workspace, 'rev-parse', '--absolute-git-dir').replace(/\n$/, '');
    return existsSync(found) ? found : undefined;
  } catch {
    return undefined;
  }
}
