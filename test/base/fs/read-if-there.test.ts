import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readIfThere } from '../../../src/base/fs/read-if-there.js';
import { makeTree } from './make-tree.js';

describe('an optional file', () => {
  it('is read if it exists', () => {
    const folder = makeTree({ a: 'text' });
    expect(readIfThere(join(folder, 'a'))).toBe('text');
    expect(readIfThere(join(folder, 'b'))).toBeUndefined();
    expect(readIfThere(folder)).toBeUndefined();
    expect(readIfThere('/no/such/file')).toBeUndefined();
    expect(readIfThere('/')).toBeUndefined();
  });
});
