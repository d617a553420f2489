import { expect, it, vi } from 'vitest';
import type { Logger } from '../../../src/api/logger.js';
import { showConnection } from '../../../src/cli/queue/connection-notices.js';
import { QueuedSteps } from '../../../src/cli/queue/queued-steps.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { errorOf, openQueueLab } from '../../queue/queue-lab.js';
import { startTinyRedis } from '../../queue/store/tiny-redis.js';

it('counts the slots of the workers that take its steps, and refuses to begin without one', async () => {
  const lab = await openQueueLab();
  const config = { workingDir: lab.workspace };
  await using plain = new QueuedSteps(lab.connection, config, () => {});
  expect(await plain.countSlots()).toBe(0);
  const error = await errorOf(plain.validate());
  expect(error.message).toMatch(
    /^No worker takes steps from the queue test-.*: no worker is there$/,
  );
  await lab.work({ workerName: 'w', labels: ['gpu'], concurrency: 3 });
  expect(await plain.countSlots()).toBe(3);
  expect((await plain.validate()).notes[0]).toContain('1 worker (w) for 3 steps at a time');
  await using other = new QueuedSteps({ ...lab.connection, labels: 'cpu' }, config, () => {});
  expect(await other.countSlots()).toBe(0);
  const refused = await errorOf(other.validate());
  expect(refused.message).toContain('No worker with the labels cpu takes steps from');
  expect(refused.hint).toContain('--labels cpu');
});

it('shows what happens to its connection where the view says, and writes it to the log', async () => {
  const server = await startTinyRedis();
  const logged: string[] = [];
  const note = (_: unknown, text: unknown) => void logged.push(String(text));
  const logger: Logger = { debug: note, info: note, warn: note, error: note };
  const [early, late]: [string[], string[]] = [[], []];
  const options = { queue: server.url, name: 'q', detach: true };
  const config = { logger, workingDir: makeTree() };
  await using steps = new QueuedSteps(options, config, (line) => void early.push(line));
  steps.notices.show('Before the view');
  showConnection(steps, (line) => void late.push(line));
  const left = new AbortController();
  const running = errorOf(steps.generate('say one', {}, { signal: left.signal }));
  await vi.waitUntil(() => server.commands.some(([name]) => name === 'eval'), 5_000);
  server.cut();
  await vi.waitUntil(() => late.length === 2, 5_000);
  await steps.dispose();
  expect((await running).code).toBe('CANCELLED');
  expect(early).toEqual(['Before the view']);
  expect(late[0]).toMatch(/^No connection to the store: .*Steps go on when it is there$/);
  expect(late[1]).toBe('The store is there again');
  expect(logged.join()).toContain('There is no connection to the store');
});

it('a provider without a connection has nothing to show', () => {
  for (const other of [undefined, 'text', {}, { notices: null }, { notices: {} }])
    expect(() => showConnection(other, () => {})).not.toThrow();
});
