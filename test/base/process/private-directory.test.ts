import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createPrivateDirectory } from '../../../src/base/process/private-directory.js';
import { closeIdleReaper } from '../../../src/base/process/reaper.js';
import { makeFolder } from '../../fixtures/cli/support.js';

afterAll(closeIdleReaper);

async function open() {
  const directory = await createPrivateDirectory();
  onTestFinished(() => directory.remove());
  return directory;
}

describe('a private folder', () => {
  it('is readable by this user only, new for each call, and recognisable by its name', async () => {
    const [one, two] = [await open(), await open()];
    expect(one.path).not.toBe(two.path);
    expect(statSync(one.path).mode & 0o777).toBe(0o700);
    expect(basename(one.path)).toMatch(/^gemini-cli-provider-/);
  });

  it('clears the named files if they exist, and no others', async () => {
    const directory = await open();
    for (const name of ['a', 'b']) writeFileSync(directory.file(name), name);
    expect(directory.file('a')).toBe(join(directory.path, 'a'));
    await directory.clear(['a', 'never-there']);
    expect(readdirSync(directory.path)).toEqual(['b']);
  });

  it('is removed with its content, and may be removed twice', async () => {
    const directory = await open();
    writeFileSync(directory.file('a'), 'a');
    await directory.remove();
    await directory.remove();
    expect(existsSync(directory.path)).toBe(false);
  });

  it('does what was asked for after its removal, once', async () => {
    const directory = await open();
    const seen: boolean[] = [];
    directory.afterRemoval(async () => {
      seen.push(existsSync(directory.path));
    });
    await directory.remove();
    await directory.remove();
    expect(seen).toEqual([false]);
  });

  it('cannot be created if the temp folder is missing', async () => {
    vi.stubEnv('TMPDIR', join(makeFolder(), 'missing'));
    onTestFinished(() => void vi.unstubAllEnvs());
    await expect(createPrivateDirectory()).rejects.toThrow('ENOENT');
  });
});
