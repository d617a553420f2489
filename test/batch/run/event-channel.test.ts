import { expect, it } from 'vitest';
import { EventChannel } from '../../../src/batch/run/event-channel.js';

async function collect(channel: AsyncIterable<number>): Promise<number[]> {
  const seen: number[] = [];
  for await (const event of channel) seen.push(event);
  return seen;
}

it('an event channel gives each listener all events from its start on, and ends all listeners', async () => {
  const channel = new EventChannel<number>();
  channel.push(0);
  const first = collect(channel);
  channel.push(1);
  const second = collect(channel);
  await Promise.resolve();
  channel.push(2);
  channel.end();
  expect(await first).toEqual([1, 2]);
  expect(await second).toEqual([2]);
  expect(await collect(channel)).toEqual([]);
});

it('an event channel continues after a listener has left', async () => {
  const channel = new EventChannel<number>();
  const rest = collect(channel);
  channel.push(1);
  setImmediate(() => channel.push(2));
  for await (const event of channel) {
    expect(event).toBe(2);
    break;
  }
  channel.push(3);
  channel.end();
  expect(await rest).toEqual([1, 2, 3]);
});
