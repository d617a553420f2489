import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readWorkspaceFile, writeWorkspaceFile } from '../../../src/agents/acp/workspace-file.js';
import { makeFolder } from '../../fixtures/cli/support.js';

/** Makes a workspace in which a folder above the parent of a file was replaced by a link to another tree. */
function makeSwapped() {
  const root = makeFolder({ 'w/sub/deep/a.txt': 'mine', 'outside/deep/a.txt': 'secret' });
  renameSync(join(root, 'w/sub'), join(root, 'w/moved'));
  symlinkSync(join(root, 'outside'), join(root, 'w/sub'));
  return { root, path: join(root, 'w/sub/deep/a.txt') };
}

describe('a folder high above a file that was replaced by a link', () => {
  it('leads no write out of the workspace (claim: client-files-link-swap)', async () => {
    const { root, path } = makeSwapped();
    await expect(writeWorkspaceFile(path, 'evil')).rejects.toThrow('was replaced by a link');
    expect(readFileSync(join(root, 'outside/deep/a.txt'), 'utf8')).toBe('secret');
  });

  it('leads no new folder and no read out of the workspace', async () => {
    const { root, path } = makeSwapped();
    await expect(readWorkspaceFile(path)).rejects.toThrow('was replaced by a link');
    const missing = join(root, 'w/sub/deep/new/b.txt');
    await expect(writeWorkspaceFile(missing, 'evil')).rejects.toThrow('was replaced by a link');
    expect(readdirSync(join(root, 'outside/deep'))).toEqual(['a.txt']);
    mkdirSync(join(root, 'w/other'));
    await writeWorkspaceFile(join(root, 'w/other/new/b.txt'), 'fine');
    expect(readFileSync(join(root, 'w/other/new/b.txt'), 'utf8')).toBe('fine');
  });
});
