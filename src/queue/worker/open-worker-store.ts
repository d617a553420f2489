import { type OpenStore, openStore } from '../store/open-store.js';
import type { OnConnection } from '../store/queue-store.js';
import { assertClock } from './assert-clock.js';
import { assertSecret } from './assert-secret.js';
import type { WorkerSettings } from './worker-settings.js';

/** Opens the store of a worker. Throws a `ProviderError` if a worker cannot work there. */
export async function openWorkerStore(
  { connection, lockMs }: WorkerSettings,
  onConnection: OnConnection,
): Promise<OpenStore> {
  assertSecret(connection);
  const store = await openStore(connection, onConnection);
  try {
    assertClock(store.driver.clock, store.address, lockMs);
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}
