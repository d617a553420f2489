import fc from 'fast-check';
import { describe, it } from 'vitest';
import { aloneProperty, checkAlone, checkParallel, parallelProperty } from './random-merge.js';
import { KINDS } from './support.js';

/** Fixed, so that a run repeats the one before. integration/merge-programs.stress.test.ts takes new programs each time. */
const SEED = 20_261_117;

describe.each([
  { kind: 'copy', runs: 25, cases: 10, parallel: 30 },
  { kind: 'worktree', runs: 4, cases: 20, parallel: 5 },
] as const)('random programs in a $kind', ({ kind, runs, cases, parallel }) => {
  it('give the same tree as in place (claim: merge-as-in-place)', async () => {
    await fc.assert(aloneProperty(kind, cases), { numRuns: runs, seed: SEED });
  });

  it('of steps at the same time give the three-way merge, or a conflict and an untouched tree', async () => {
    await fc.assert(parallelProperty(kind, 3), { numRuns: parallel, seed: SEED });
  });
});

describe.each(KINDS)('programs that once gave a wrong tree from a %s', (kind) => {
  it('move a folder and link to it from its old path', async () => {
    await checkAlone(kind, [
      {
        base: [{ do: 'write', path: 'a/a', text: '0\n' }],
        program: [{ do: 'move-and-link', path: 'a', to: 'd' }],
      },
    ]);
  });

  it('removes no file whose permissions another step has changed', async () => {
    await checkParallel(
      kind,
      [{ do: 'write', path: 'b/ä', text: '0\n' }],
      [[{ do: 'chmod', path: 'b/ä', mode: 0o755 }], [{ do: 'delete', path: 'b' }]],
    );
  });

  it('move and link a folder while another step does nothing', async () => {
    await checkParallel(
      kind,
      [
        { do: 'link', path: 'l', target: 'a' },
        { do: 'write', path: 'A/a', text: '0\n' },
      ],
      [[{ do: 'move-and-link', path: 'A', to: 'a' }], []],
    );
  });
});
