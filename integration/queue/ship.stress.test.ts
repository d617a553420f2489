import fc from 'fast-check';
import { describe, it } from 'vitest';
import { ODD_WORKSPACES } from '../../test/batch/isolation/odd-workspaces.js';
import { aloneProperty, parallelProperty } from '../../test/batch/isolation/random-merge.js';
import { checkOddShipping } from '../../test/queue/workspace/check-odd-shipping.js';

/** Long version of test/queue/workspace/ship-programs.process.test.ts: thousands of programs. */
describe('random programs on a worker', () => {
  it('give the same tree as in place', async () => {
    await fc.assert(aloneProperty('shipped', 20), { numRuns: 150 });
  });

  it('of steps at the same time give the three-way merge, or a conflict and an untouched tree', async () => {
    await fc.assert(parallelProperty('shipped', 3), { numRuns: 200 });
  });
});

describe('a shipped workspace with', () => {
  it.each(ODD_WORKSPACES)('$name', async (workspace) => {
    await checkOddShipping(workspace);
  });
});
