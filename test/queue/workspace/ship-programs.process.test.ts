import fc from 'fast-check';
import { describe, it } from 'vitest';
import { aloneProperty, parallelProperty } from '../../batch/isolation/random-merge.js';

/** Fixed, so that a run repeats the one before. integration/queue/ship.stress.test.ts takes new programs each time. */
const SEED = 20_261_118;

describe('random programs on a worker', () => {
  it('give the same tree as in place', async () => {
    await fc.assert(aloneProperty('shipped', 20), { numRuns: 4, seed: SEED });
  });

  it('of steps at the same time give the three-way merge, or a conflict and an untouched tree', async () => {
    await fc.assert(parallelProperty('shipped', 3), { numRuns: 5, seed: SEED });
  });
});
