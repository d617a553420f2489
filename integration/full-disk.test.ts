import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProviderConfig } from 'gemini-cli-provider';
import { describe, expect, it, onTestFinished } from 'vitest';
import { gateCases } from './gate-cases.js';
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
  it.each<[string, ProviderConfig]>([
    ['headless', {}],
    ['acp', { transport: 'acp' }],
    ['acp with clientFiles', { transport: 'acp', clientFiles: {} }],
  ])(
    'fails the step over %s, with the file as it is on the disk (claim: full-disk)',
    async (_, config) => {
      const workingDir = mountSmallDisk();
      writeFileSync(join(workingDir, 'a.txt'), PRECIOUS);
      const lab = await openLab(
        [writing('a.txt', `${'garbage '.repeat(MEGABYTE / 2)}\n`), { text: 'All done.' }],
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

describe('a read-only folder', () => {
  /** Makes a folder read-only for one test, also for root. */
  function closeFolder(folder: string): void {
    execFileSync('mount', ['--bind', folder, folder]);
    onTestFinished(() => {
      execFileSync('umount', ['-l', folder]);
    });
    execFileSync('mount', ['-o', 'remount,ro,bind', folder]);
  }

  it.each(gateCases(['headless', 'acp'] as const, 1))(
    'as home of the CLI is CLI_CONFIG over %s, and is named',
    async (transport) => {
      const lab = await openLab([{ text: 'never' }], { config: { transport } });
      closeFolder(lab.home);
      const error = await lab.fail();
      expect(error).toMatchObject({ code: 'CLI_CONFIG', retryable: false });
      expect(error.message).toMatch(/^The CLI cannot write to its home folder/);
      expect(error.stderrTail).toContain('EROFS');
    },
  );

  it('as workspace shows no file as written', async () => {
    const lab = await openLab([writing('a.txt', 'new\n'), { text: 'Failed.' }], {
      files: { 'a.txt': 'old\n' },
    });
    closeFolder(lab.workspace);
    expect(await lab.run()).toMatchObject({ text: 'Failed.', files: [] });
    expect(readFileSync(join(lab.workspace, 'a.txt'), 'utf8')).toBe('old\n');
  });
});
