import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import { gitFolder, type OddWorkspace } from '../../batch/isolation/odd-workspaces.js';
import { edit, LINES, read } from '../../batch/isolation/support.js';
import { createShipLab } from './support.js';

/** Files of the step, in case that the workspace is a git folder itself. */
const OF_STEP = ['a.txt', 'new dir'];

/**
 * Ships an odd workspace, runs a step on the worker and applies the changes: the worker has the same bytes, and the change
 * comes back. The user's repository stays as it was, its objects included.
 */
export async function checkOddShipping({ make, mayRefuse = false }: OddWorkspace): Promise<void> {
  const folder = make();
  const repository = gitFolder(folder);
  const readRepository = () => (repository === undefined ? {} : read(repository, OF_STEP));
  const [personal, before] = [readRepository(), readFiles(folder)];
  const lab = createShipLab();
  let text = LINES;
  try {
    await lab.step(folder, (dir) => {
      const there = read(dir);
      for (const [path, content] of Object.entries(there)) expect(before[path]).toBe(content);
      text = (there['a.txt'] ?? LINES).replace(/^one/, 'ONE');
      edit(dir, {
        ...('a.txt' in there ? { 'a.txt': Buffer.from(text, 'latin1') } : {}),
        ...('gone.txt' in there ? { 'gone.txt': null } : {}),
        'new dir/new.txt': 'n\n',
      });
    });
    const { 'gone.txt': _gone, ...kept } = { 'gone.txt': '', ...before };
    const changed = 'a.txt' in before ? { 'a.txt': text } : {};
    expect(readFiles(folder)).toEqual({ ...kept, ...changed, 'new dir/new.txt': 'n\n' });
  } catch (error) {
    if (!ProviderError.isInstance(error)) throw error;
    expect({ error, mayRefuse }).toMatchObject({ mayRefuse: true });
    expect(readFiles(folder)).toEqual(before);
  }
  expect(readRepository()).toEqual(personal);
}

function readFiles(folder: string): Record<string, string> {
  const isGitFolder = existsSync(join(folder, 'HEAD'));
  const files = read(realpathSync(folder), ['.git', 'own/.git', 'lib/.git']);
  return isGitFolder ? { ...files } : files;
}
