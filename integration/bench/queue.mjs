import { benchQueueDeltas } from './queue-deltas.mjs';
import { startBenchStores } from './queue-lab.mjs';
import { benchQueueMany } from './queue-many.mjs';
import { benchQueueShip } from './queue-ship.mjs';
import { benchQueueStep } from './queue-step.mjs';
import { benchQueueWorkers } from './queue-workers.mjs';

/**
 * Measures the queue on both stores.
 * @param {number} rounds
 * @returns {Promise<import('./report.mjs').Measurement[]>}
 */
export async function benchQueue(rounds) {
  const stores = await startBenchStores();
  const measurements = [];
  try {
    for (const store of stores) {
      measurements.push(await benchQueueStep(store, rounds));
      measurements.push(...(await benchQueueDeltas(store)));
      measurements.push(await benchQueueWorkers(store));
      measurements.push(await benchQueueShip(store, rounds));
      measurements.push(...(await benchQueueMany(store)));
    }
  } finally {
    await Promise.all(stores.map((store) => store.stop()));
  }
  return measurements;
}
