import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeAtomically } from '../../../src/base/fs/write-atomically.js';
import { makeFolder } from '../../fixtures/cli/support.js';

describe('an atomic write', () => {
  it('replaces the content and leaves no other file', async () => {
    const folder = makeFolder({ a: 'old' });
    await writeAtomically(join(folder, 'a'), 'new', 0o600);
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('new');
    expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['a']);
  });

  it('leaves no temporary file behind if it fails', async () => {
    const folder = makeFolder({});
    mkdirSync(join(folder, 'a'));
    await expect(writeAtomically(join(folder, 'a'), 'new')).rejects.toThrow(/EISDIR/);
    expect(readdirSync(folder)).toEqual(['a']);
  });
});
