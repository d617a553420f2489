import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { wrapEvents, wrapWorker } from '../../../src/queue/store/wrap-bull.js';

/** An emitter with members of BullMQ, which notes their calls. */
function fakeSource() {
  const calls: unknown[] = [];
  const note =
    (name: string) =>
    async (...given: unknown[]): Promise<void> =>
      void calls.push([name, ...given]);
  const source = Object.assign(new EventEmitter(), {
    name: 'q',
    concurrency: 1,
    cancelJob: (id: string, reason?: string) => id === 'j' && reason === 'lost',
    pause: note('pause'),
    resume: note('resume'),
    waitUntilReady: note('waitUntilReady'),
    close: note('close'),
  });
  return { source, calls };
}

it('events: an error without a listener ends nothing, and the others are handed on', async () => {
  const { source, calls } = fakeSource();
  const { events, waitUntilReady, close } = wrapEvents(source);
  const heard: unknown[] = [];
  events.on('agent', (fields) => heard.push(fields));
  source.emit('error', new Error('lost'));
  source.emit('agent', { id: 'j' });
  expect(heard).toEqual([{ id: 'j' }]);
  await waitUntilReady();
  await close();
  expect(calls).toEqual([['waitUntilReady'], ['close']]);
});

it('worker: its methods keep their object and their arguments', async () => {
  const { source, calls } = fakeSource();
  const worker = wrapWorker(source);
  expect(source.emit('error', new Error('lost'))).toBe(true);
  worker.concurrency = 7;
  expect([worker.name, worker.concurrency, source.concurrency]).toEqual(['q', 7, 7]);
  expect([worker.cancelJob('j', 'lost'), worker.cancelJob('other')]).toEqual([true, false]);
  await worker.pause(true);
  await worker.resume();
  await worker.waitUntilReady();
  await worker.close(true);
  expect(calls).toEqual([['pause', true], ['resume'], ['waitUntilReady'], ['close', true]]);
});
