import { mkdirSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ToolInvocationEvent } from '../../../src/api/tool-event.js';
import { fileStateOf, WHOLE_FILE_BYTES } from '../../../src/base/fs/fingerprint.js';
import { OriginalContents } from '../../../src/step/manifest/original-contents.js';
import { makeFolder } from '../../fixtures/cli/support.js';

const HOUR_MS = 3_600_000;

const announce = (input: ToolInvocationEvent['input'], toolName = 'write_file') => {
  const category = toolName === 'read_file' ? 'file-read' : 'file-write';
  return { type: 'tool-invocation', callId: '1', toolName, kind: 'edit', category, input } as const;
};
const write = (path: string) => announce({ file_path: path });

/** Start of the step, one hour in the future, so that every file of the test is older. */
const later = (folder: string) => new OriginalContents(folder, { sinceMs: Date.now() + HOUR_MS });

describe('the original content of a file', () => {
  it('is read once, when the event of a call that will write the file arrives', () => {
    const folder = makeFolder({ 'a.txt': 'old' });
    const originals = later(folder);
    originals.accept(write('a.txt'));
    writeFileSync(join(folder, 'a.txt'), 'new');
    originals.accept(write('./a.txt'));
    originals.accept(write(join(folder, 'a.txt')));
    expect(originals.get(join(folder, 'a.txt'))).toEqual(fileStateOf(Buffer.from('old')));
  });

  it('is null if the file did not exist', () => {
    const folder = makeFolder();
    const originals = later(folder);
    originals.accept(write('sub/new.txt'));
    expect(originals.get(join(folder, 'sub/new.txt'))).toBeNull();
  });

  it('is stored under the real path if the call names a symlink', () => {
    const folder = makeFolder({ 'real.txt': 'old' });
    symlinkSync('real.txt', join(folder, 'link.txt'));
    const originals = later(folder);
    originals.accept(write('link.txt'));
    expect(originals.get(join(folder, 'real.txt'))?.bytes).toBe(3);
    expect(originals.get(join(folder, 'link.txt'))).toBeUndefined();
  });

  it('is not read if the file has changed since the step began', () => {
    const folder = makeFolder({ 'a.txt': 'new already', 'b.txt': 'new too' });
    // The test sets mtime back. The ctime cannot be set and shows the change.
    utimesSync(join(folder, 'b.txt'), 1000, 1000);
    const originals = new OriginalContents(folder, { sinceMs: Date.now() - HOUR_MS });
    for (const name of ['a.txt', 'b.txt']) {
      originals.accept(write(name));
      expect(originals.get(join(folder, name))).toBeUndefined();
    }
  });

  it('is not read for folders and very large files', () => {
    const folder = makeFolder({ 'big.bin': '' });
    mkdirSync(join(folder, 'sub'));
    truncateSync(join(folder, 'big.bin'), WHOLE_FILE_BYTES + 1);
    const originals = later(folder);
    for (const name of ['sub', 'big.bin']) {
      originals.accept(write(name));
      expect(originals.get(join(folder, name))).toBeUndefined();
    }
  });

  it.each([
    ['another event', { type: 'text', text: 'a.txt', textKind: 'text' } as const],
    ['a call that reads', announce({ file_path: 'a.txt' }, 'read_file')],
    ['a call without a path', announce({ content: 'a.txt' })],
    ['a path that cannot be one', announce({ file_path: 'a.txt\0' })],
    ['a path that is no text', announce({ file_path: ['a.txt'] })],
  ])('is not read because of %s', (_what, event) => {
    const folder = makeFolder({ 'a.txt': 'old' });
    const originals = later(folder);
    originals.accept(event);
    expect(originals.get(join(folder, 'a.txt'))).toBeUndefined();
  });
});
