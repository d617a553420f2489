import { expect, it, vi } from 'vitest';
import { parseClientSettings } from '../../../src/queue/provider/client-settings.js';
import type { QueuedRequest } from '../../../src/queue/provider/queued-request.js';
import { sendWorkspace } from '../../../src/queue/provider/workspace-choice.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { openMemoryStore } from '../memory-store.js';

const request = (more: Partial<QueuedRequest> = {}): QueuedRequest => ({
  prompt: 'p',
  context: {},
  workingDir: makeTree({ 'a.txt': 'a\n' }),
  options: {},
  labels: [],
  priority: 0,
  idempotencyKey: undefined,
  sessionProject: undefined,
  traceparent: undefined,
  signal: undefined,
  ...more,
});
const settings = (more: object = {}) =>
  parseClientSettings({ queue: 'redis://127.0.0.1:1', ...more });

it('a store on loopback shares the folder, a store elsewhere and a folder of a batch are shipped', async () => {
  const near = await openMemoryStore(true);
  const far = await openMemoryStore(false);
  const kindOf = async (...args: Parameters<typeof sendWorkspace>): Promise<string> =>
    (await sendWorkspace(...args)).kind;
  expect(await kindOf(request(), settings(), near.store)).toBe('shared');
  expect(await kindOf(request({ sessionProject: '/p' }), settings(), near.store)).toBe('ship');
  expect(await kindOf(request(), settings(), far.store)).toBe('ship');
  expect(await kindOf(request(), settings({ workspace: 'shared' }), far.store)).toBe('shared');
  expect(await kindOf(request(), settings({ workspace: 'ship' }), near.store)).toBe('ship');
});

it('a shipped workspace carries its set-up, and refuses a session of another machine', async () => {
  const { store } = await openMemoryStore(false);
  const withSetup = settings({ setup: ['npm', 'ci'] });
  const { signal } = new AbortController();
  expect(await sendWorkspace(request({ signal }), withSetup, store)).toMatchObject({
    kind: 'ship',
    setup: ['npm', 'ci'],
  });
  const resumed = request({ options: { resume: 'latest' } });
  await expect(sendWorkspace(resumed, settings(), store)).rejects.toMatchObject({
    code: 'INVALID_CONFIG',
    message: expect.stringContaining('cannot be resumed'),
  });
});

it('the files of a step stay in the store as long as the job may wait and its result is kept', async () => {
  const { store } = await openMemoryStore(false);
  const put = vi.spyOn(store.blobs, 'put');
  const longest = settings({ waitTimeout: '3d', retention: { age: '2d' } });
  await sendWorkspace(request(), longest, store);
  const lives = put.mock.calls.map(([, , lifeMs]) => lifeMs);
  expect(new Set(lives)).toEqual(new Set([5 * 24 * 60 * 60 * 1_000]));
});
