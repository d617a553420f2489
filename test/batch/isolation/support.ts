import { once } from 'node:events';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import type {
  ChangeSet,
  CollectOptions,
  IsolatedWorkspace,
  IsolationOptions,
  MergeOutcome,
} from '../../../src/batch/isolation/isolated-workspace.js';
import { openIsolation } from '../../../src/batch/isolation/open-isolation.js';
import { openSaved } from '../../../src/batch/isolation/open-saved.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { git } from '../../base/git/git-as-user.js';

export type Files = Readonly<Record<string, string>>;

export interface TestRepository {
  readonly folder: string;
  readonly stateDir: string;
  readonly git: (...args: readonly string[]) => string;
}

/** Creates a repository with these files in its first commit. */
export function makeRepository(files: Files = { 'a.txt': 'a\n' }): TestRepository {
  const folder = makeTree(files);
  git(folder, 'init', '-q', '-b', 'main', '--template=');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'first');
  return { folder, stateDir: makeTree(), git: (...args) => git(folder, ...args) };
}

/** Opens a workspace that is removed at the end of the test. */
export async function open(
  options: Omit<IsolationOptions, 'label'> & { readonly label?: string },
): Promise<IsolatedWorkspace> {
  const workspace = await openIsolation({ label: 'step', ...options });
  opened.set(workspace, options);
  onTestFinished(() => workspace.dispose());
  return workspace;
}

const opened = new WeakMap<IsolatedWorkspace, Omit<IsolationOptions, 'label'>>();

/** Saves the changes of a workspace and opens them as another process would. */
export async function saveAndOpen(
  workspace: IsolatedWorkspace,
  { kind, workspaceDir, stateDir }: Omit<IsolationOptions, 'label'>,
  options: CollectOptions,
): Promise<ChangeSet> {
  const { savedId: id = '' } = await workspace.saveChanges(options);
  const places = { stateDir: resolve(stateDir), workspaceDir: resolve(workspaceDir) };
  const set = await openSaved({ ...places, id, kind });
  if (set === undefined) throw new Error('The saved changes cannot be read');
  return set;
}

export function openWorktree({ folder, stateDir }: TestRepository): Promise<IsolatedWorkspace> {
  return open({ kind: 'worktree', workspaceDir: folder, stateDir });
}

/** Merges the changes of a workspace from their saved form. */
export async function merge(
  workspace: IsolatedWorkspace,
  extraPaths: readonly string[] = [],
): Promise<MergeOutcome> {
  const patchFile = join(makeTree(), 'kept.patch');
  const options = opened.get(workspace);
  if (options === undefined) throw new Error('The workspace was not opened by `open`');
  const set = await saveAndOpen(workspace, options, { extraPaths });
  const outcome = await set.mergeBack(patchFile);
  set.keepMerge();
  set.drop();
  await set.dispose();
  return outcome;
}

/** Writes, replaces, links (`-> target`) or removes (null) files; `+x` in front makes one executable. */
export function edit(
  folder: string,
  edits: Readonly<Record<string, string | Buffer | null>>,
): void {
  for (const [path, content] of Object.entries(edits)) {
    const target = join(folder, path);
    rmSync(target, { recursive: true, force: true });
    if (content === null) continue;
    mkdirSync(dirname(target), { recursive: true });
    if (typeof content === 'string' && content.startsWith('-> '))
      symlinkSync(content.slice(3), target);
    else writeFileSync(target, typeof content === 'string' ? content.replace(/^\+x/, '') : content);
    if (typeof content === 'string' && content.startsWith('+x')) chmodSync(target, 0o755);
  }
}

/** Reads all files below a folder in the format of `edit`, non-UTF-8 names as latin1. Leaves out `.git` by default. */
export function read(
  folder: string,
  skipped: readonly string[] = ['.git'],
): Record<string, string> {
  const found: Record<string, string> = {};
  const visit = (path: string): void => {
    const names = readdirSync(Buffer.from(`${folder}/${path}`, 'latin1'), 'latin1').sort();
    for (const name of names) {
      const inside = path === '' ? name : `${path}/${name}`;
      if (skipped.includes(inside)) continue;
      const target = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(inside, 'latin1')]);
      const stats = lstatSync(target);
      if (stats.isDirectory()) visit(inside);
      else if (stats.isSymbolicLink()) found[inside] = `-> ${readlinkSync(target)}`;
      else if (stats.isFile()) {
        const mark = (stats.mode & 0o100) === 0 ? '' : '+x';
        found[inside] = mark + readFileSync(target, 'latin1');
      }
    }
  };
  visit('');
  return found;
}

/** Reads the repository without its objects: index, branches, stash, logs, configuration, worktrees. */
export function readPersonal({ folder }: TestRepository): Record<string, string> {
  return read(join(folder, '.git'), ['objects']);
}

/** Creates a socket, which is neither a file nor a folder nor a link. */
export async function makeSocket(path: string): Promise<void> {
  const server = createServer().listen(path);
  onTestFinished(() => {
    server.close();
  });
  await once(server, 'listening');
}

/** Sets PATH to this folder only, until the end of the test. */
export function withPath(folder: string): void {
  withVariables({ PATH: folder });
}

export function withVariables(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) {
    const before = process.env[name];
    onTestFinished(() => {
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
    });
    process.env[name] = value;
  }
}

/** Kinds of isolation with a separate workspace. */
export const KINDS = ['worktree', 'copy'] as const;

export const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';

/** Changes of every kind that all kinds of isolation merge: the files before, the edits, and the merged paths. */
export const ALL_CHANGES = {
  before: {
    'text.txt': 'a\n',
    'run.sh': 'x\n',
    'gone/deep.txt': 'g\n',
    'file-to-folder': 'f\n',
    'folder-to-file/x': 'x\n',
    'same.txt': 's\n',
    '.gitignore': '*.log\n',
  },
  edits: {
    'text.txt': 'changed\n',
    'run.sh': '+xx\n',
    'gone/deep.txt': null,
    'file-to-folder': null,
    'file-to-folder/inside': 'i\n',
    'folder-to-file': 'now a file\n',
    'new "name"\n.txt': '',
    'binary.bin': Buffer.from([0, 1, 0xff, 0x0a, 0]),
    link: '-> text.txt',
  },
  paths: [
    'binary.bin',
    'file-to-folder',
    'file-to-folder/inside',
    'folder-to-file',
    'folder-to-file/x',
    'gone/deep.txt',
    'link',
    'new "name"\n.txt',
    'run.sh',
    'text.txt',
  ],
} as const;

/** Writes a file whose name consists of these bytes, which need not be UTF-8. */
export function writeByteName(folder: string, name: readonly number[], content: string): void {
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name)]), content);
}
