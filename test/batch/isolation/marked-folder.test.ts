import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createMarkedFolder,
  markedFolderName,
  removeMarkedFolder,
} from '../../../src/batch/isolation/marked-folder.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { edit } from './support.js';

const ID = '0123456789abcdef';

function folderPath(): string {
  return join(makeTree(), markedFolderName(ID));
}

describe('a marked folder', () => {
  it('is removed with its content, but without the targets of its links', async () => {
    const [folder, other] = [folderPath(), makeTree({ 'a.txt': 'a\n' })];
    createMarkedFolder(folder, ID);
    edit(folder, { 'deep/x.txt': 'x\n', link: `-> ${other}` });
    mkdirSync(join(folder, 'closed'));
    writeFileSync(join(folder, 'closed/y'), 'y');
    chmodSync(join(folder, 'closed'), 0o555);
    expect(await removeMarkedFolder(folder, ID)).toBe(true);
    expect(existsSync(folder)).toBe(false);
    expect(existsSync(join(other, 'a.txt'))).toBe(true);
    expect(await removeMarkedFolder(folder, ID)).toBe(true);
  });

  it('without a marker is removed only if it is empty', async () => {
    const [empty, full, torn] = [folderPath(), folderPath(), folderPath()];
    mkdirSync(empty);
    edit(full, { 'a.txt': 'a\n' });
    edit(torn, { owner: '' });
    expect(await removeMarkedFolder(empty, ID)).toBe(true);
    expect(await removeMarkedFolder(torn, ID)).toBe(true);
    expect(await removeMarkedFolder(full, ID)).toBe(false);
    expect(existsSync(join(full, 'a.txt'))).toBe(true);
  });

  it('is not removed if its name or its marker has another id', async () => {
    const [marked, named] = [join(makeTree(), 'src'), folderPath()];
    createMarkedFolder(marked, ID);
    createMarkedFolder(named, 'fedcba9876543210');
    const linked = folderPath();
    edit(join(linked, '..'), { [markedFolderName(ID)]: `-> ${named}` });
    for (const folder of [marked, named, linked]) {
      expect(await removeMarkedFolder(folder, ID)).toBe(false);
      expect(existsSync(folder)).toBe(true);
    }
  });
});
