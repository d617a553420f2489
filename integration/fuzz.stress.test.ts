import { expect, it } from 'vitest';
import { fuzzExports } from './fuzz-support.js';

it.each(Array.from({ length: 20 }, (_, index) => Date.now() + index))(
  'ten thousand wrong calls with the seed %i end in ProviderErrors',
  async (seed) => {
    const { failures } = await fuzzExports(seed, 10_000);
    expect(failures).toEqual([]);
  },
);
