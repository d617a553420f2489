import { expect, it } from 'vitest';
import { fuzzExports } from './fuzz-support.js';

it('every exported function answers wrong values with a ProviderError, in bounded time and memory (claim: input-validated)', async () => {
  const { names, counts, failures } = await fuzzExports(20_261_117, 2_000);
  expect(failures).toEqual([]);
  expect(names.length).toBeGreaterThan(30);
  expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(2_000);
  // The values are wrong enough: most calls are refused.
  expect((counts['INVALID_INPUT'] ?? 0) + (counts['INVALID_CONFIG'] ?? 0)).toBeGreaterThan(700);
});
