import { execFileSync } from 'node:child_process';
import { constants, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  openRegularFile,
  READ_NO_LINK,
  readRegularFile,
  readRegularFileSync,
} from '../../../src/base/fs/regular-file.js';
import { makeFolder } from '../../fixtures/cli/support.js';

describe('a regular file', () => {
  it('is read', async () => {
    expect(String(await readRegularFile(join(makeFolder({ a: 'text' }), 'a')))).toBe('text');
  });

  it('is refused at once if the path leads to a FIFO, a device or a folder', async () => {
    const folder = makeFolder({});
    const fifo = join(folder, 'fifo');
    execFileSync('mkfifo', [fifo]);
    for (const path of [fifo, '/dev/null', folder]) {
      await expect(readRegularFile(path)).rejects.toThrow(/not a regular file/);
    }
    await expect(openRegularFile(fifo, constants.O_WRONLY)).rejects.toThrow(/ENXIO/);
    await expect(openRegularFile(fifo, constants.O_RDWR)).rejects.toThrow(/not a regular file/);
  });

  it('keeps the errno of a missing file', async () => {
    await expect(openRegularFile('/no/such/file')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('a small regular file', () => {
  it('is read at once', () => {
    const path = join(makeFolder({ a: 'text', empty: '' }), 'a');
    expect(readRegularFileSync(path, 4).toString()).toBe('text');
    expect(readRegularFileSync(join(path, '..', 'empty'), 4).toString()).toBe('');
  });

  it('is refused if it is too large, no regular file, or a link that must not be followed', () => {
    const folder = makeFolder({ a: 'text' });
    const fifo = join(folder, 'fifo');
    execFileSync('mkfifo', [fifo]);
    symlinkSync('a', join(folder, 'link'));
    expect(() => readRegularFileSync(join(folder, 'a'), 3)).toThrow(/larger than 3 bytes/);
    for (const path of [fifo, folder]) {
      expect(() => readRegularFileSync(path, 10)).toThrow(/not a regular file/);
    }
    expect(readRegularFileSync(join(folder, 'link'), 10).toString()).toBe('text');
    expect(() => readRegularFileSync(join(folder, 'link'), 10, READ_NO_LINK)).toThrow(/ELOOP/);
  });
});
