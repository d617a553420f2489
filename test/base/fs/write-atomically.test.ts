import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
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

  it('keeps the old content until the new one is complete, and if it fails', async () => {
    const folder = makeFolder({ a: 'old' });
    const path = join(folder, 'a');
    const seen: string[] = [];
    function* pieces(): Generator<string> {
      seen.push(readFileSync(path, 'utf8'));
      yield 'new';
      seen.push(readFileSync(path, 'utf8'));
      throw new Error('ENOSPC');
    }
    await expect(writeAtomically(path, pieces())).rejects.toThrow('ENOSPC');
    expect([...seen, readFileSync(path, 'utf8')]).toEqual(['old', 'old', 'old']);
    expect(readdirSync(folder)).toEqual(['a']);
  });

  it('leaves no temporary file behind if it fails', async () => {
    const folder = makeFolder({});
    mkdirSync(join(folder, 'a'));
    await expect(writeAtomically(join(folder, 'a'), 'new')).rejects.toThrow(/EISDIR/);
    expect(readdirSync(folder)).toEqual(['a']);
  });
});

it('an atomic write takes over mode and owner of the old file', async () => {
  const path = join(makeFolder({ a: 'old' }), 'a');
  chmodSync(path, 0o640);
  if (process.getuid?.() === 0) chownSync(path, 1234, 1234);
  const old = statSync(path);
  await writeAtomically(path, 'new', 0o666, old);
  const { mode, uid, gid } = statSync(path);
  expect([mode, uid, gid]).toEqual([old.mode, old.uid, old.gid]);
});
