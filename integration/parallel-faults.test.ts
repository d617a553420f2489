import { describe, it } from 'vitest';
import { runParallelFaults } from './parallel-faults.js';

describe('many warm steps at the same time', () => {
  it('settle each as its own fault says, and leave nothing behind', async () => {
    await runParallelFaults(28);
  });
});
