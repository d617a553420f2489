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

function openSender(fail = false) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const fields: Readonly<Record<string, string>>[] = [];
  const publish = async (_: string, one: Readonly<Record<string, string>>): Promise<void> => {
    if (fail) throw new Error('full');
    fields.push(one);
  };
  const sender = new EventSender({ publish, close: async () => {} }, 'j', 2, SIGNED);
  return { sender, batches: () => fields.map((one) => unpackEvents('j', one, SIGNED)) };
}

it('sends the events of 25 ms together, signed, with their numbers, and without the ids of the worker', async () => {
  const { sender, batches } = openSender();
  sender.add(delta('a'));
  sender.add(delta('b'));
  await vi.advanceTimersByTimeAsync(25);
  sender.add(delta('c'));
  await sender.end();
  const text = (one: string) => ({ type: 'text-delta', text: one, textKind: 'text' });
  expect(batches()).toEqual([
    { attempt: 2, seq: 0, events: [text('a'), text('b')] },
    { attempt: 2, seq: 2, events: [text('c')] },
  ]);
  expect(sender.count).toBe(3);
});

it('sends a large batch at once, and leaves a gap for an event that is too large', async () => {
  const { sender, batches } = openSender();
  sender.add(delta('x'.repeat(70_000)));
  sender.add(delta('y'.repeat(600_000)));
  sender.add(delta('z'));
  await sender.end();
  expect(batches().map((batch) => [batch?.seq, batch?.events.length])).toEqual([
    [0, 1],
    [2, 1],
  ]);
  expect(sender.count).toBe(3);
});

it('goes on when the store refuses events: they are hints', async () => {
  const { sender } = openSender(true);
  sender.add(delta('a'));
  await expect(sender.end()).resolves.toBe(undefined);
});
