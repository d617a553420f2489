import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packJob, unpackJob } from '../../../src/queue/protocol/envelope.js';
import { identify, openWorkspace } from '../../../src/queue/worker/open-workspace.js';
import { parseProcessorSettings } from '../../../src/queue/worker/worker-settings.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { createMemoryBlobs } from '../workspace/support.js';

const trust = { queue: 'q', secret: undefined, acceptsUnsigned: true };

/** Opens the workspace of a job that shares a folder with its caller. */
function open(dir: string, sharedFolders?: boolean | readonly string[], identity = identify(dir)) {
  const job = packJob(
    {
      jobId: 'j',
      createdAtMs: 0,
      expiresAtMs: 1,
      title: 'p',
      prompt: { text: 'p' },
      options: {},
      labels: [],
      workspace: { kind: 'shared', dir, identity },
      keepMs: 1,
    },
    trust,
  );
  return openWorkspace({
    envelope: unpackJob('j', job, trust),
    blobs: createMemoryBlobs(),
    settings: parseProcessorSettings({ queue: 'redis://127.0.0.1:1', allow: { sharedFolders } }),
    signal: new AbortController().signal,
  });
}

it('a step works in the folder of its caller, unless the worker names other folders', async () => {
  const top = makeTree();
  const dir = join(top, 'project', 'sub');
  mkdirSync(dir, { recursive: true });
  mkdirSync(join(top, 'project-of-others'));
  for (const allowed of [undefined, true, [top], [dir], [join(top, 'project')]])
    expect((await open(dir, allowed)).dir).toBe(dir);
  for (const allowed of [false, [], [join(dir, 'below')], [join(top, 'proj')]])
    await expect(open(dir, allowed)).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      message: `This worker does not allow steps in the shared folder ${dir}`,
      hint: expect.stringContaining('(`--shared-folder`)'),
    });
});

it('a link does not lead out of the folders that a worker allows (claim: queue-shared-folders)', async () => {
  const top = makeTree();
  mkdirSync(join(top, 'allowed'));
  mkdirSync(join(top, 'other'));
  const link = join(top, 'allowed', 'link');
  symlinkSync(join(top, 'other'), link);
  await expect(open(link, [join(top, 'allowed')])).rejects.toMatchObject({
    code: 'INVALID_CONFIG',
  });
});

it('a folder that is another one on this machine is refused', async () => {
  const [dir, other] = [makeTree(), makeTree()];
  await expect(open(dir, true, identify(other))).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: `The working directory ${dir} of the caller is another folder on this worker`,
  });
});
