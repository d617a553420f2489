import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { makeTree } from '../../base/fs/make-tree.js';
import { git } from '../../base/git/git-as-user.js';
import { errorOf, failingAgent, openQueueLab, type QueueLab } from '../queue-lab.js';

/** Text that no compression makes smaller than the limit below. */
const LARGE = randomBytes(3_000).toString('hex');
const FEW_BYTES = { maxChangesBytes: 1_000 };

/** Puts a step on the queue of a caller that ships its folder, before there is a worker. */
async function enqueue(lab: QueueLab, prompt: string, options: object = {}) {
  const queue = lab.open();
  const running = lab.connect({ workspace: 'ship', ...options }).generate(prompt);
  // The caller waits for the end later.
  running.catch(() => {});
  const id = await vi.waitUntil(async () => (await queue.list())[0]?.id, 10_000);
  return { id, queue, running };
}

function readOf(lab: QueueLab, name: string): string {
  return readFileSync(join(lab.workspace, name), 'utf8');
}

it('changes of a step are merged with those that the folder got meanwhile', async () => {
  const lab = await openQueueLab();
  const { running } = await enqueue(lab, 'new.txt=of_the_step');
  writeFileSync(join(lab.workspace, 'kept.txt'), 'of the caller\n');
  await lab.work();
  expect((await running).files).toMatchObject([{ path: 'new.txt', confirmed: true }]);
  expect(readOf(lab, 'new.txt')).toBe('of_the_step\n');
  expect(readOf(lab, 'kept.txt')).toBe('of the caller\n');
});

it('a conflict names the paths and the patch, and keeps what the step has answered', async () => {
  const lab = await openQueueLab();
  const { running } = await enqueue(lab, 'kept.txt=of_the_step new.txt=n');
  writeFileSync(join(lab.workspace, 'kept.txt'), 'of the caller\n');
  await lab.work();
  const error = await errorOf(running);
  expect(error).toMatchObject({
    code: 'EXPECTATION_FAILED',
    missing: [{ kind: 'merge', paths: ['kept.txt'] }],
    partial: {
      text: 'said kept.txt=of_the_step new.txt=n',
      files: [
        { absolutePath: join(lab.workspace, 'kept.txt'), confirmed: false },
        { absolutePath: join(lab.workspace, 'new.txt'), confirmed: false },
      ],
    },
  });
  expect(error.partial).not.toHaveProperty('context');
  const [, patch = ''] = /The changes are kept in (\S+\.patch):/.exec(error.hint) ?? [];
  const other = makeTree({ 'kept.txt': 'kept\n' });
  git(other, 'init', '-q');
  git(other, 'apply', patch);
  expect(readFileSync(join(other, 'kept.txt'), 'utf8')).toBe('of_the_step\n');
  expect(existsSync(join(lab.workspace, 'new.txt'))).toBe(false);
});

it('a step that has failed by itself says that its changes were not made', async () => {
  const lab = await openQueueLab();
  const { running } = await enqueue(lab, 'kept.txt=of_the_step');
  writeFileSync(join(lab.workspace, 'kept.txt'), 'of the caller\n');
  await lab.work(failingAgent());
  const error = await errorOf(running);
  expect(error).toMatchObject({
    code: 'API_REQUEST',
    message: 'no',
    hint: expect.stringMatching(
      /Its changes were not made: Merge conflict .*: kept\.txt\. .*\.patch/,
    ),
    partial: { files: [{ absolutePath: join(lab.workspace, 'kept.txt'), confirmed: false }] },
  });
  expect(readOf(lab, 'kept.txt')).toBe('of the caller\n');
});

it('changes above the limit of the worker fail the step with its answer, and stay there as a patch', async () => {
  const lab = await openQueueLab();
  const { running } = await enqueue(lab, `large.txt=${LARGE}`);
  await lab.work({ limits: FEW_BYTES });
  const error = await errorOf(running);
  expect(error).toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining('`limits.maxChangesBytes` allows 1000'),
    partial: { text: expect.stringContaining('said large.txt=') },
  });
  const [, patch = ''] = /The patch (\S+) on \S+ has the changes/.exec(error.hint) ?? [];
  expect(readFileSync(patch, 'utf8')).toContain(`+${LARGE}`);
  expect(existsSync(join(lab.workspace, 'large.txt'))).toBe(false);
});

it('changes above the limit of the caller stay with their job, for a caller with a higher one', async () => {
  const lab = await openQueueLab();
  const { id, queue, running } = await enqueue(lab, `large.txt=${LARGE}`, { limits: FEW_BYTES });
  await lab.work();
  const error = await errorOf(running);
  expect(error).toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining('`limits.maxChangesBytes` allows 1000'),
    hint: expect.stringContaining(`\`gemini-cli-provider queue result ${id} --apply-to DIR\``),
    partial: { files: [{ absolutePath: join(lab.workspace, 'large.txt'), confirmed: false }] },
  });
  expect(existsSync(join(lab.workspace, 'large.txt'))).toBe(false);
  const { files } = await queue.result(id, { applyTo: lab.workspace });
  expect(files).toMatchObject([{ path: 'large.txt', confirmed: true }]);
  expect(readOf(lab, 'large.txt')).toBe(`${LARGE}\n`);
});
