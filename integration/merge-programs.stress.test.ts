import fc from 'fast-check';
import { describe, it } from 'vitest';
import { aloneProperty, parallelProperty } from '../test/batch/isolation/random-merge.js';

/** Long version of test/batch/isolation/merge-programs.process.test.ts: thousands of programs. */
describe.each([
  { kind: 'copy', alone: 400, parallel: 1500 },
  { kind: 'worktree', alone: 150, parallel: 250 },
] as const)('random programs in a $kind', ({ kind, alone, parallel }) => {
  it('give the same tree as in place', async () => {
    await fc.assert(aloneProperty(kind, 20), { numRuns: alone });
  });

  it('of steps at the same time give the three-way merge, or a conflict and an untouched tree', async () => {
    await fc.assert(parallelProperty(kind, 3), { numRuns: parallel });
  });
});
