import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { gitFolder, type OddWorkspace } from './odd-workspaces.js';
import { edit, type KINDS, LINES, merge, open, read } from './support.js';

/** Objects and logs of worktrees, and the files of the step, in case that the workspace is a git folder itself. */
const NOT_PERSONAL = ['objects', 'logs', 'worktrees', 'a.txt', 'new dir'];

/**
 * Runs a step in an odd workspace: the change comes back, or the workspace is refused with a reason. Index, refs, HEAD,
 * stash and configuration stay as they were.
 */
export async function checkOddWorkspace(
  { make, refused, mayRefuse = false }: OddWorkspace,
  kind: (typeof KINDS)[number],
): Promise<void> {
  const folder = make();
  const repository = gitFolder(folder);
  const readPersonal = () => (repository === undefined ? {} : read(repository, NOT_PERSONAL));
  const [personal, before] = [readPersonal(), readFiles(folder)];
  const outcome = await run(folder, kind);
  if (ProviderError.isInstance(outcome)) {
    const reason = kind === 'worktree' ? refused : undefined;
    if (reason === undefined) expect({ outcome, mayRefuse }).toMatchObject({ mayRefuse: true });
    else expect(outcome.message).toMatch(reason);
    expect(outcome.hint).toMatch(/\w/);
    expect(readFiles(folder)).toEqual(before);
  } else {
    expect(refused === undefined || kind === 'copy').toBe(true);
    expect(outcome.merged).toBe(true);
    const { 'gone.txt': _gone, ...kept } = { 'gone.txt': '', ...before };
    const changed = 'a.txt' in before ? { 'a.txt': outcome.text } : {};
    expect(readFiles(folder)).toEqual({ ...kept, ...changed, 'new dir/new.txt': 'n\n' });
  }
  expect(readPersonal()).toEqual(personal);
}

/** Reads the files of a workspace without `.git`, of a bare repository its own files only. */
function readFiles(folder: string): Record<string, string> {
  const isGitFolder = existsSync(join(folder, 'HEAD'));
  const own = ['a.txt', 'new dir/new.txt'];
  const files = read(realpathSync(folder), ['.git', 'own/.git', 'lib/.git']);
  return isGitFolder
    ? Object.fromEntries(Object.entries(files).filter(([path]) => own.includes(path)))
    : files;
}

async function run(
  folder: string,
  kind: (typeof KINDS)[number],
): Promise<ProviderError | { readonly merged: boolean; readonly text: string }> {
  try {
    const workspace = await open({ kind, workspaceDir: folder, stateDir: makeTree() });
    const text = (read(workspace.dir)['a.txt'] ?? LINES).replace(/^one/, 'ONE');
    const isThere = (path: string): boolean => existsSync(join(workspace.dir, path));
    edit(workspace.dir, {
      ...(isThere('a.txt') ? { 'a.txt': Buffer.from(text, 'latin1') } : {}),
      ...(isThere('gone.txt') ? { 'gone.txt': null } : {}),
      'new dir/new.txt': 'n\n',
    });
    const { merged } = await merge(workspace);
    await workspace.dispose();
    return { merged, text };
  } catch (error) {
    if (ProviderError.isInstance(error)) return error;
    throw error;
  }
}
