import { availableParallelism } from 'node:os';
import { expect, it } from 'vitest';
import { defaultProcesses } from '../../src/config/default-processes.js';

it('defaultProcesses is the number of cores, at most 4', () => {
  expect([1, 2, 4, 64].map((cores) => defaultProcesses(cores))).toEqual([1, 2, 4, 4]);
  expect(defaultProcesses()).toBe(Math.min(4, availableParallelism()));
});
