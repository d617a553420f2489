import { describe, expect, it } from 'vitest';
import { readMemoryMb } from '../../../src/base/process/memory.js';

describe('the memory of a process', () => {
  it('is told for one that lives, and is unknown for one that does not', () => {
    const mb = readMemoryMb(process.pid) ?? 0;
    expect(mb).toBeGreaterThan(20);
    expect(mb).toBeLessThan(20_000);
    expect(readMemoryMb(2 ** 30)).toBeUndefined();
  });
});
