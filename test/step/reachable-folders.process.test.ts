import { expect, it } from 'vitest';
import { silentLogger } from '../../src/config/logging.js';
import {
  assertReachable,
  assertStillReachable,
  hashReachable,
  isUnreachable,
} from '../../src/step/reachable-folders.js';
import { RemoteWorkspace } from '../../src/step/remote-workspace.js';
import { mountRemotely } from '../base/fs/mount-remotely.js';
import { failureOf, makeFolder } from '../fixtures/cli/support.js';

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

it('a remote file system that answers is reachable, and its files are hashed by another process', async () => {
  const folder = makeFolder({ 'a.txt': 'a' });
  const local = await hashReachable(folder);
  mountRemotely(folder);
  await assertReachable([undefined, folder]);
  await assertStillReachable([folder], new AbortController().signal);
  // A cancelled batch has a short time left for the answer.
  await assertStillReachable([folder], AbortSignal.abort());
  expect(await hashReachable(folder)).toEqual(local);
});

it('a file system that does not answer in time is unreachable, and is not asked again after a cancel', async () => {
  const folder = makeFolder();
  mountRemotely(folder);
  const late = await failureOf(() => assertReachable([folder], { limitMs: 0 }));
  expect(late).toMatchObject({
    code: 'TIMEOUT',
    phase: 'start',
    message: `The file system at ${folder} does not answer`,
  });
  expect(isUnreachable(late)).toBe(false);
  const cancelled = await failureOf(() => assertStillReachable([folder], AbortSignal.abort()));
  expect(cancelled).toMatchObject({
    code: 'TIMEOUT',
    message: `The file system of ${folder} does not answer`,
  });
  expect(isUnreachable(cancelled)).toBe(true);
  for (const other of [undefined, null, 'text']) expect(isUnreachable(other)).toBe(false);
});

it('a wait that is cancelled says that nothing was run', async () => {
  const folder = makeFolder();
  mountRemotely(folder);
  const signal = AbortSignal.abort();
  expect(await failureOf(() => assertReachable([folder], { signal }))).toMatchObject({
    code: 'CANCELLED',
    message: 'Cancelled before the file system had answered',
  });
});
