import fs, { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { onTestFinished, vi } from 'vitest';

/** Makes the folders mounts of a network file system in the list of Linux, until the end of the test. */
export function mountRemotely(...folders: readonly string[]): void {
  const list = folders.map((folder) => `1 1 0:1 / ${folder} rw shared:1 - nfs4 source rw\n`);
  const readBefore = readFileSync;
  const spy = vi.spyOn(fs, 'readFileSync').mockImplementation((path, options) => {
    return path === '/proc/self/mountinfo' ? list.join('') : readBefore(path, options);
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
}
