import { expect, it } from 'vitest';
import { describeClean } from '../../../src/cli/batch/batch-clean.js';
import { formatSize } from '../../../src/cli/output/format-numbers.js';
import { PLAIN } from '../../../src/cli/output/output.js';

it('lists what was removed with sizes, what was kept with reasons, and the sum', () => {
  const removed = [
    { path: '/out/steps-1', what: 'steps', bytes: 812 },
    { path: '/state', what: 'state of the batch', bytes: 2_000 },
  ];
  const report = { removed, kept: [{ path: '/out/kept', reason: 'is a link' }], notes: ['note'] };
  expect(describeClean(report, false, PLAIN).split('\n')).toEqual([
    '✓ 812 bytes  /out/steps-1 (steps)',
    '✓    2.0 kB  /state (state of the batch)',
    '! note',
    '! Kept /out/kept: is a link',
    'Removed 2 items, 2.8 kB.',
  ]);
  const nothing = { removed: [], kept: [], notes: [] };
  expect(describeClean(nothing, true, PLAIN)).toBe('There is nothing to remove.');
  expect([1, 999, 1_000, 999_960].map(formatSize)).toEqual([
    '1 byte',
    '999 bytes',
    '1.0 kB',
    '1.0 MB',
  ]);
});
