import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { RemoteWorkspace } from '../../src/step/remote-workspace.js';
import { makeFolder } from '../fixtures/cli/support.js';

const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
const { signal: never } = new AbortController();
/** Opens a folder as if it was a mount of a network file system. */
const open = (folder: string, mounts = [folder], signal = never) =>
  RemoteWorkspace.open({ folders: [folder], mounts, limitMs: 20_000, signal, logger });

it('a workspace on local disks needs no process of its own', async () => {
  expect(await open(makeFolder(), [])).toBeUndefined();
});

it('a workspace on a remote file system is compared by another process', async () => {
  const folder = makeFolder({ 'a.txt': 'old', 'b.txt': 'same' });
  const workspace = await open(folder);
  onTestFinished(() => workspace?.close());
  const request = { workspaceDirs: [folder], excludedDirs: [], mayAskGit: false };
  const snapshot = await workspace?.takeSnapshot(request);
  writeFileSync(join(folder, 'a.txt'), 'new content');
  writeFileSync(join(folder, 'c.txt'), 'c');
  const changes = await snapshot?.changes();
  expect(changes?.map(({ path, before }) => [path, before?.bytes])).toEqual([
    [join(folder, 'a.txt'), 3],
    [join(folder, 'c.txt'), undefined],
  ]);
  expect(await workspace?.answers(AbortSignal.timeout(20_000))).toBe(true);
});

it('a file system that does not answer is reported and not asked again', async () => {
  const folder = makeFolder();
  const workspace = await open(folder);
  onTestFinished(() => workspace?.close());
  await workspace?.assertAnswers();
  // An aborted signal tells nothing about the file system, an abort during the look does.
  expect(await workspace?.answers(AbortSignal.abort())).toBe(false);
  await workspace?.assertAnswers();
  const late = new AbortController();
  const answer = workspace?.answers(late.signal);
  late.abort();
  expect(await answer).toBe(false);
  await expect(workspace?.assertAnswers()).rejects.toThrow(`${folder} does not answer`);
  expect(await workspace?.answers(AbortSignal.timeout(20_000))).toBe(false);
  expect(logger.warn).toHaveBeenCalledExactlyOnceWith(
    { mounts: [folder], scannerPid: expect.any(Number) },
    'The file system does not answer, and the scanner hangs in the kernel',
  );
  await expect(open(folder, [folder], AbortSignal.abort(new Error('cancelled')))).rejects.toThrow(
    'cancelled',
  );
});
