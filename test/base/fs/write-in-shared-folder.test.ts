import { readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeInSharedFolder } from '../../../src/base/fs/write-in-shared-folder.js';
import { makeFolder } from '../../fixtures/cli/support.js';

it('makes the folder again if another process removes it before the file is there', () => {
  const folder = join(makeFolder({}), 'a', 'records');
  const file = join(folder, 'record.json');
  let removals = 3;
  const tries = writeInSharedFolder(folder, () => {
    if (removals > 0) rmdirSync(folder);
    removals -= 1;
    writeFileSync(file, 'record', { flag: 'wx' });
    return 3 - removals;
  });
  expect(tries).toBe(4);
  expect(readFileSync(file, 'utf8')).toBe('record');
});

it('fails with the error of the file system if the folder never stays, and at once with any other error', () => {
  const folder = join(makeFolder({}), 'records');
  const file = join(folder, 'record.json');
  expect(() =>
    writeInSharedFolder(folder, () => {
      rmSync(folder, { recursive: true });
      writeFileSync(file, '');
    }),
  ).toThrow('ENOENT');
  let calls = 0;
  expect(() =>
    writeInSharedFolder(folder, () => {
      calls += 1;
      throw new Error('no space');
    }),
  ).toThrow('no space');
  expect(calls).toBe(1);
});
