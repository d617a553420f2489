import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { keepNotifications } from '../../../src/queue/store/keep-notifications.js';

const of = (payload: string, channel = 'bullmq_events') => ({ channel, payload });

test('a notification that comes while nothing listens reaches the next listener, once', async () => {
  const client = keepNotifications(new EventEmitter());
  client.emit('notification', of('q'));
  client.emit('notification', of('q'));
  client.emit('notification', of('other'));
  client.emit('notification', of('q', 'bullmq_jobs'));
  const heard: unknown[] = [];
  const listener = (notification: unknown) => void heard.push(notification);
  client.on('notification', listener);
  expect(heard).toEqual([]);
  await Promise.resolve();
  expect(heard).toEqual([of('q'), of('other')]);
  client.emit('notification', of('live'));
  expect(heard.at(-1)).toEqual(of('live'));
  client.off('notification', listener);
  client.on('notification', listener);
  await Promise.resolve();
  expect(heard).toHaveLength(3);
});

test('a listener that leaves at its first notification loses none of the others', async () => {
  const client = keepNotifications(new EventEmitter());
  client.emit('notification', of('a'));
  client.emit('notification', of('b'));
  const heard: unknown[] = [];
  const take = () => {
    const listener = (notification: unknown) => {
      heard.push(notification);
      client.off('notification', listener);
    };
    client.on('notification', listener);
  };
  take();
  await Promise.resolve();
  take();
  await Promise.resolve();
  expect(heard).toEqual([of('a'), of('b')]);
});
