import { createHash } from 'node:crypto';
import { mkdirSync, statSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  fileStateOf,
  hasSameStats,
  readFileState,
  sha256,
  WHOLE_FILE_BYTES,
} from '../../../src/base/fs/fingerprint.js';
import { makeFolder } from '../../fixtures/cli/support.js';

const hash = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

describe('the state of a file', () => {
  it('has its size, its hash and its content', async () => {
    const folder = makeFolder({ a: 'wörd' });
    const content = Buffer.from('wörd');
    const expected = { bytes: 5, sha256: hash('wörd'), content };
    expect(await readFileState(join(folder, 'a'))).toEqual(expected);
    expect(fileStateOf(content)).toEqual(expected);
    expect(sha256('wörd')).toBe(expected.sha256);
  });

  it('has the target path as the content of a link, also of a broken one', async () => {
    const folder = makeFolder({ a: 'content' });
    for (const target of ['a', 'no/where']) {
      const link = join(folder, `to-${target.length}`);
      symlinkSync(target, link);
      expect(await readFileState(link)).toEqual({
        bytes: target.length,
        sha256: hash(target),
      });
    }
  });

  it('has the hash but not the content of a large file', async () => {
    const path = join(makeFolder({ big: 'x' }), 'big');
    truncateSync(path, WHOLE_FILE_BYTES);
    expect((await readFileState(path))?.content?.length).toBe(WHOLE_FILE_BYTES);
    truncateSync(path, WHOLE_FILE_BYTES + 1);
    const content = Buffer.alloc(WHOLE_FILE_BYTES + 1);
    content.write('x');
    expect(await readFileState(path)).toEqual({
      bytes: WHOLE_FILE_BYTES + 1,
      sha256: hash(content),
    });
  });

  it('does not exist for folders, missing files and devices', async () => {
    const folder = makeFolder({ a: '' });
    mkdirSync(join(folder, 'sub'));
    for (const path of [folder, join(folder, 'sub'), join(folder, 'none'), '/dev/null']) {
      expect(await readFileState(path)).toBeUndefined();
    }
  });
});

describe('a very large file', () => {
  it('is not read to its end after an abort', async () => {
    const path = join(makeFolder({ vast: '' }), 'vast');
    truncateSync(path, 2 ** 40);
    const cancel = new AbortController();
    setImmediate(() => cancel.abort(new Error('enough')));
    await expect(readFileState(path, cancel.signal)).rejects.toThrow('enough');
  });
});

describe('the stats of a file', () => {
  it('are the same until the file changes, even if its old mtime is restored', () => {
    const path = join(makeFolder({ a: 'one' }), 'a');
    utimesSync(path, 1000, 1000);
    const before = statSync(path);
    expect(hasSameStats(before, statSync(path))).toBe(true);
    writeFileSync(path, 'two');
    utimesSync(path, 1000, 1000);
    const after = statSync(path);
    expect([after.size, after.mtimeMs]).toEqual([before.size, before.mtimeMs]);
    expect(hasSameStats(before, after)).toBe(false);
  });
});
