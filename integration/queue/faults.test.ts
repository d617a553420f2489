import { expect, test } from 'vitest';
import { runWithFaults } from './faults.js';
import { listStores } from './servers.js';

const { stores } = listStores();

test.concurrent.for(stores)(
  'six faults on %s: each step once, the bytes of an undisturbed run, nothing left',
  async (store, { onTestFinished }) => {
    const seed = Number(process.env['QUEUE_FAULTS_SEED'] ?? Math.floor(Math.random() * 1e9));
    // The seed repeats a run: QUEUE_FAULTS_SEED=... npm run test:integration -- integration/queue/faults.test.ts
    process.stdout.write(`faults on ${store}: seed ${seed}\n`);
    const { log } = await runWithFaults(
      { store, steps: 18, faults: 6, stepMs: 400, seed },
      onTestFinished,
    );
    expect(log).toHaveLength(6);
  },
);
