import { expect, it } from 'vitest';
import { silentLogger } from '../../src/config/logging.js';
import { assertReachable, hashReachable } from '../../src/step/reachable-folders.js';
import { RemoteWorkspace } from '../../src/step/remote-workspace.js';
import { makeFolder } from '../fixtures/cli/support.js';

it('local folders are hashed by this process, and are always reachable', async () => {
  const folder = makeFolder({ 'a.txt': 'a', 'b/c.txt': 'c', '.gitignore': 'd.txt', 'd.txt': 'd' });
  await assertReachable([folder, '/missing']);
  const hashes = await hashReachable(folder);
  expect(
    Object.keys(hashes)
      .map((path) => path.slice(folder.length + 1))
      .sort(),
  ).toEqual(['.gitignore', 'a.txt', 'b/c.txt']);
});

it('folders of a remote file system are hashed by the scanner, with the same result', async () => {
  const folder = makeFolder({ 'a.txt': 'a', 'b/c.txt': 'c' });
  const { signal } = new AbortController();
  const limits = { limitMs: 30_000, signal, logger: silentLogger };
  const remote = await RemoteWorkspace.open({ folders: [folder], mounts: [folder], ...limits });
  try {
    expect(await remote?.hashFolder(folder, signal)).toEqual(await hashReachable(folder));
  } finally {
    remote?.close();
  }
});
