import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findCacheDirectory, openCacheFolder } from '../../../src/base/fs/cache-folder.js';
import { makeFolder } from '../../fixtures/cli/support.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const modeOf = (path: string) => statSync(path).mode & 0o777;

/** Makes a home, and returns its cache directory and the path of the folder `a/b` there. */
function makeHome() {
  const home = makeFolder();
  const base = findCacheDirectory({ HOME: home });
  mkdirSync(dirname(base), { recursive: true, mode: 0o700 });
  return { home, base, folder: join(base, 'gemini-cli-provider', 'a', 'b') };
}

describe('the cache directory of the user', () => {
  it.each([
    ['linux', { HOME: '/home/u' }, '/home/u/.cache'],
    ['linux', { HOME: '/home/u', XDG_CACHE_HOME: '/var/cache/u' }, '/var/cache/u'],
    ['linux', { HOME: '/home/u', XDG_CACHE_HOME: 'relative' }, '/home/u/.cache'],
    ['darwin', { HOME: '/Users/u', XDG_CACHE_HOME: '/x' }, '/Users/u/Library/Caches'],
    ['win32', { HOME: '/Users/u', LOCALAPPDATA: '/Users/u/Local' }, '/Users/u/Local'],
    ['win32', { HOME: '/Users/u' }, '/Users/u/AppData/Local'],
  ] as const)('on %s with %j is %s', (platform, environment, directory) => {
    expect(findCacheDirectory(environment, platform)).toBe(directory);
  });
});

describe('a cache folder', () => {
  it('is made below the cache directory of the user, and closed to others', () => {
    const { home, folder } = makeHome();
    expect(openCacheFolder('a/b', { HOME: home })).toBe(folder);
    expect(modeOf(folder)).toBe(0o700);
    expect(modeOf(join(folder, '..', '..'))).toBe(0o700);
  });

  it('lies in XDG_CACHE_HOME if that is set', () => {
    const environment = { HOME: makeHome().home, XDG_CACHE_HOME: makeFolder() };
    const folder = join(findCacheDirectory(environment), 'gemini-cli-provider', 'a', 'b');
    expect(openCacheFolder('a/b', environment)).toBe(folder);
  });

  it.each([
    ['itself', '.'],
    ['the folder above it', '..'],
    ['the folder of the package', '../..'],
    ['the cache directory', '../../..'],
  ])('is not used while others can write to %s', (_, path) => {
    const { home, folder } = makeHome();
    openCacheFolder('a/b', { HOME: home });
    for (const mode of [0o770, 0o707]) {
      chmodSync(join(folder, path), mode);
      expect(openCacheFolder('a/b', { HOME: home })).toBeUndefined();
    }
  });

  it('is not used through a link', () => {
    const { home, base } = makeHome();
    mkdirSync(base, { recursive: true });
    symlinkSync(makeFolder(), join(base, 'gemini-cli-provider'));
    expect(openCacheFolder('a/b', { HOME: home })).toBeUndefined();
  });

  it.each([
    ['the cache directory', '../../..'],
    ['the folder of the package', '../..'],
    ['the folder above it', '..'],
  ])('writes nothing behind a link in place of %s', (_, path) => {
    const { home, folder } = makeHome();
    const link = join(folder, path);
    const target = makeFolder();
    mkdirSync(dirname(link), { recursive: true, mode: 0o700 });
    symlinkSync(target, link);
    expect(openCacheFolder('a/b', { HOME: home })).toBeUndefined();
    expect(readdirSync(target)).toEqual([]);
  });

  it('makes nothing below a folder that others can write to', () => {
    const { home, base } = makeHome();
    mkdirSync(base, { recursive: true });
    chmodSync(base, 0o777);
    expect(openCacheFolder('a/b', { HOME: home })).toBeUndefined();
    expect(readdirSync(base)).toEqual([]);
  });

  it('makes the cache directory only in a folder that belongs to the user alone', () => {
    const { home, base } = makeHome();
    chmodSync(dirname(base), 0o777);
    expect(openCacheFolder('a/b', { HOME: home })).toBeUndefined();
    expect(openCacheFolder('a/b', { HOME: join(home, 'missing') })).toBeUndefined();
    expect([base, join(home, 'missing')].map((path) => existsSync(path))).toEqual([false, false]);
  });

  it('is not used for a relative home', () => {
    const { home, base } = makeHome();
    const before = process.cwd();
    process.chdir(dirname(home));
    onTestFinished(() => process.chdir(before));
    expect(openCacheFolder('a/b', { HOME: basename(home) })).toBeUndefined();
    expect(existsSync(base)).toBe(false);
  });

  it('is not used where it cannot be made', () => {
    const { home, base } = makeHome();
    mkdirSync(join(base, '..'), { recursive: true });
    writeFileSync(base, 'a file');
    expect(openCacheFolder('a/b', { HOME: home })).toBeUndefined();
  });

  it('removes its siblings that were not opened for 30 days when it is made', () => {
    const { home, folder } = makeHome();
    const siblings = ['old', 'young', 'opened'].map((name) => join(folder, '..', name));
    const age = (path: string, days: number) => {
      const time = new Date(Date.now() - days * DAY_MS);
      utimesSync(path, time, time);
    };
    for (const path of siblings) mkdirSync(path, { recursive: true });
    for (const path of siblings) writeFileSync(join(path, 'code'), 'x');
    chmodSync(join(folder, '..', '..', '..'), 0o700);
    for (const path of [join(folder, '..'), join(folder, '..', '..')]) chmodSync(path, 0o700);
    const [old = '', young = '', opened = ''] = siblings;
    age(old, 31);
    age(young, 29);
    age(opened, 31);
    openCacheFolder('a/opened', { HOME: home });
    openCacheFolder('a/b', { HOME: home });
    expect([old, young, opened, folder].map((path) => existsSync(path))).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });
});
