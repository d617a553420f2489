import { expect, it, onTestFinished, vi } from 'vitest';
import type { AgentEvent } from '../../../src/api/agent-event.js';
import { unpackEvents } from '../../../src/queue/protocol/event-batch.js';
import { EventSender } from '../../../src/queue/worker/event-sender.js';
import { SIGNED } from '../protocol/support.js';

const delta = (text: string): AgentEvent => ({
  type: 'text-delta',
  text,
  textKind: 'text',
  generationId: 'of the worker',
});

/** Opens a sender. `hold` keeps each request on its way until `release` is called. */
function openSender({
  fail = false,
  hold = false,
  begun = Promise.resolve() as Promise<unknown>,
} = {}) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const fields: Readonly<Record<string, string>>[] = [];
  let release = (): void => {};
  const publish = async (_: string, one: Readonly<Record<string, string>>): Promise<void> => {
    if (fail) throw new Error('full');
    fields.push(one);
    if (hold) await new Promise<void>((resolve) => (release = resolve));
  };
  const producer = { publish, close: async () => {} };
  const sender = new EventSender({ producer, jobId: 'j', attempt: 2, trust: SIGNED, begun });
  const batches = () => fields.map((one) => unpackEvents('j', one, SIGNED));
  return { sender, batches, release: () => release() };
}

const text = (one: string) => ({ type: 'text-delta', text: one, textKind: 'text' });

it('sends the events of 25 ms together, signed, with their numbers, and without the ids of the worker', async () => {
  const { sender, batches } = openSender();
  sender.add(delta('a'));
  sender.add(delta('b'));
  await vi.advanceTimersByTimeAsync(25);
  sender.add(delta('c'));
  expect(await sender.end(false)).toBe(undefined);
  expect(batches()).toEqual([
    { attempt: 2, seq: 0, events: [text('a'), text('b')] },
    { attempt: 2, seq: 2, events: [text('c')] },
  ]);
  expect(sender.count).toBe(3);
});

it('hands the events that the store has not confirmed to the result, without a request and without a wait', async () => {
  const { sender, batches } = openSender({ hold: true });
  sender.add(delta('a'));
  await vi.advanceTimersByTimeAsync(25);
  sender.add(delta('b'));
  const tail = await sender.end(true);
  expect(tail).toEqual({
    attempt: 2,
    seq: 0,
    events: [text('a'), text('b')].map((it) => expect.objectContaining(it)),
  });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(batches()).toHaveLength(1);
});

it('sends a long tail before the result', async () => {
  const { sender, batches } = openSender();
  sender.add(delta('x'.repeat(20_000)));
  expect(await sender.end(true)).toBe(undefined);
  expect(batches()).toHaveLength(1);
});

it('has one request on its way at a time: a slow store gets larger batches, not more', async () => {
  const { sender, batches, release } = openSender({ hold: true });
  for (let tick = 0; tick < 40; tick++) {
    sender.add(delta(`${tick} `));
    await vi.advanceTimersByTimeAsync(25);
  }
  expect(batches()).toHaveLength(1);
  release();
  await vi.advanceTimersByTimeAsync(25);
  expect(batches().map((batch) => [batch?.seq, batch?.events.length])).toEqual([
    [0, 1],
    [1, 39],
  ]);
});

it('keeps 4 MB for a store that does not answer, and leaves a gap for the rest', async () => {
  const { sender, batches, release } = openSender({ hold: true });
  const large = 'x'.repeat(300_000);
  for (let part = 0; part < 30; part++) sender.add(delta(large));
  const ended = sender.end(true);
  for (let part = 0; part < 30; part++) {
    await vi.advanceTimersByTimeAsync(1);
    release();
  }
  expect(await ended).toBe(undefined);
  expect(batches()).toHaveLength(14);
  expect(sender.count).toBe(30);
});

it('sends nothing before the store knows of the attempt', async () => {
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const { sender, batches } = openSender({ begun });
  sender.add(delta('a'));
  await vi.advanceTimersByTimeAsync(100);
  expect(batches()).toEqual([]);
  begin();
  await sender.end(false);
  expect(batches()).toHaveLength(1);
});

it('sends a large batch at once, and leaves a gap for an event that is too large', async () => {
  const { sender, batches } = openSender();
  sender.add(delta('x'.repeat(70_000)));
  sender.add(delta('y'.repeat(600_000)));
  sender.add(delta('z'));
  await sender.end(false);
  expect(batches().map((batch) => [batch?.seq, batch?.events.length])).toEqual([
    [0, 1],
    [2, 1],
  ]);
  expect(sender.count).toBe(3);
});

it('goes on when the store refuses events: they are hints', async () => {
  const { sender } = openSender({ fail: true });
  sender.add(delta('a'));
  await expect(sender.end(false)).resolves.toBe(undefined);
});
