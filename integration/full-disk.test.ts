import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeFolder, openLab } from './support.js';
import { writing } from './tool-calls.js';

const MEGABYTE = 2 ** 20;
const PRECIOUS = 'precious\n'.repeat(1000);

/** Mounts a disk of two megabytes for one test. */
function mountSmallDisk(): string {
  const folder = makeFolder();
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'small-disk', folder]);
  onTestFinished(() => {
    execFileSync('umount', ['-l', folder]);
  });
  return folder;
}

/** Hashes a content as the manifest does. */
const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');

describe('a disk that is full', () => {
  it.each([
    ['headless', {}],
    ['acp', { transport: 'acp' }],
    ['acp with clientFiles', { transport: 'acp', clientFiles: {} }],
  ])(
    'fails the step over %s, with the file as it is on the disk (claim: full-disk)',
    async (_, config) => {
      const workingDir = mountSmallDisk();
      writeFileSync(join(workingDir, 'a.txt'), PRECIOUS);
      const lab = await openLab(
        [writing('a.txt', 'garbage\n'.repeat(MEGABYTE / 2)), { text: 'All done.' }],
        { config: { ...config, workingDir } },
      );
      const error = await lab.fail();
      const onDisk = readFileSync(join(workingDir, 'a.txt'));
      expect(error).toMatchObject({ code: 'TOOL_FAILED', retryable: false });
      expect(error.message).toMatch(/^The disk is full: .*a\.txt/);
      expect(error.hint).toMatch(/^Free space on the disk/);
      expect(readdirSync(workingDir)).toEqual(['a.txt']);
      if ('clientFiles' in config) {
        // Files that this package writes for the agent keep their content.
        expect(onDisk.toString()).toBe(PRECIOUS);
        expect(error.partial?.files).toEqual([]);
        return;
      }
      // The CLI itself has destroyed the file: no option prevents that, so the manifest must say so.
      expect(onDisk.length).toBe(2 * MEGABYTE);
      expect(error.partial?.files).toMatchObject([
        {
          path: 'a.txt',
          kind: 'modified',
          tools: ['write_file'],
          bytes: onDisk.length,
          sha256Before: sha256(PRECIOUS),
          sha256After: sha256(onDisk),
        },
      ]);
    },
  );
});
