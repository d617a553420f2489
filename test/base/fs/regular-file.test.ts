import { execFileSync } from 'node:child_process';
import { constants } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRegularFile, readRegularFile } from '../../../src/base/fs/regular-file.js';
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
