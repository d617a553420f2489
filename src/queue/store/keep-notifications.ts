import { EventEmitter } from 'node:events';
import type { PgNotification } from 'bullmq';

const NOTIFICATION = 'notification';
/** Channel on which BullMQ announces events of all queues. It looks for jobs itself after it has begun to listen. */
const CHANNEL = 'bullmq_events';
/** Most queues whose notifications are kept. */
const MOST_KEPT = 1_000;

/**
 * Keeps the notifications of a connection that come while there is no listener, and hands them to the next one. BullMQ reads the
 * events of a queue first and listens afterwards: an event between the two would be seen only when its wait times out.
 */
export function keepNotifications<T extends object>(client: T): T {
  if (!(client instanceof EventEmitter)) return client;
  const kept = new Map<string, PgNotification>();
  client.on(NOTIFICATION, (notification: PgNotification) => {
    const { channel, payload = '' } = notification;
    const isHeard = client.listenerCount(NOTIFICATION) > 1;
    if (channel === CHANNEL && !isHeard && kept.size < MOST_KEPT) kept.set(payload, notification);
  });
  client.on('newListener', (name: unknown) => {
    if (name === NOTIFICATION && kept.size > 0) queueMicrotask(replay);
  });
  const replay = (): void => {
    const missed = [...kept.values()];
    kept.clear();
    for (const notification of missed) client.emit(NOTIFICATION, notification);
  };
  return client;
}
