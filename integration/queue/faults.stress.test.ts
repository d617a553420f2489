import { expect, onTestFinished, test } from 'vitest';
import { runWithFaults } from './faults.js';
import { listStores } from './servers.js';

const { stores } = listStores();

test.each(stores)(
  'thirty faults on %s: each step once, the bytes of an undisturbed run, nothing left',
  async (store) => {
    const seed = Number(process.env['QUEUE_FAULTS_SEED'] ?? Math.floor(Math.random() * 1e9));
    process.stdout.write(`faults on ${store}: seed ${seed}\n`);
    const { log, lost } = await runWithFaults(
      { store, steps: 60, faults: 30, stepMs: 800, seed },
      onTestFinished,
    );
    expect(log).toHaveLength(30);
    // A kill, a freeze or a cut of a worker at work loses its attempts.
    expect(lost).toBeGreaterThan(0);
  },
);
