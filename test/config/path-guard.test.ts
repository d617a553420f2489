import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { reserveFolder } from '../../src/base/fs/reserved-folders.js';
import { createPathGuard } from '../../src/config/path-guard.js';
import { type ConfigValues, resolveConfig } from '../../src/config/resolve-config.js';
import { makeFolder } from '../fixtures/cli/support.js';

function guard(values: ConfigValues = {}, workingDir = '/app', geminiHome = '/home/user/.gemini') {
  const config = resolveConfig(values);
  return createPathGuard({ config, workingDir, workspaceDirs: [workingDir, '/more'], geminiHome });
}

const OBEYED = [
  '.gemini/settings.json',
  '.gemini',
  'a/b/.gemini/commands/x.toml',
  'x/../.gemini/settings.json',
  '/more/.gemini/settings.json',
  '.env',
  'a/.env',
  '.git',
  '.git/config',
  '.git/config.worktree',
  '.git/hooks/pre-commit',
  '.git/info/attributes',
  '.git/modules/a/config',
  '/.env',
  'gemini-cli-provider.yaml',
  'gemini-cli-provider.yml',
  'a/.config/gemini-cli-provider.json',
  '/home/user/.gemini/settings.json',
  '/home/user/.gemini/policies/a.toml',
  '/home/user/.gemini/tmp/app/chats/session.jsonl',
];

const FREE = [
  'src/index.ts',
  '.env.example',
  '.gitignore',
  '.git/index',
  '.git/HEAD',
  '.git/refs/heads/config',
  '.git/objects/ab/cdef',
  '.git/info/refs',
  '.gemini/tmp/plans/a.md',
  '/home/user/.gemini/tmp/app/plans/a.md',
  '/home/user/.gemini/projects.json',
  'GEMINI.md',
  'gemini-cli-provider.md',
  'not-gemini-cli-provider.json',
];

describe('a path', () => {
  it.each(OBEYED)('is protected by default: %s', (path) => {
    expect(guard().isProtected(path)).toBe(true);
    expect(guard({ approvalMode: 'plan' }).isProtected(path)).toBe(true);
    expect(guard({ approvalMode: 'yolo' }).isProtected(path)).toBe(false);
    expect(guard({ protectedPaths: false }).isProtected(path)).toBe(false);
  });

  it.each(FREE)('is not protected: %s', (path) => {
    expect(guard().isProtected(path)).toBe(false);
  });

  it('is protected in every mode if the caller names it', () => {
    const protectedPaths = ['conf/**', '/etc/app', '**/*.lock'];
    for (const approvalMode of ['default', 'yolo']) {
      const { isProtected, isOff } = guard({ approvalMode, protectedPaths });
      expect(isOff).toBe(false);
      for (const path of ['conf/a/b', '/more/conf/a', '/etc/app', '/etc/app/x', 'a/b.lock'])
        expect([path, isProtected(path)]).toEqual([path, true]);
      for (const path of ['a/conf/b', '/etc/application', 'lock'])
        expect([path, isProtected(path)]).toEqual([path, false]);
    }
  });

  it('is free if an entry with "!" takes a default away, or excepts the path', () => {
    const { isProtected, isProtectedAs } = guard({
      protectedPaths: ['!.env', '!.gemini/notes/**'],
    });
    expect(isProtected('.env')).toBe(false);
    expect(isProtected('a/.env')).toBe(false);
    expect(isProtectedAs('.env', '/app/.env')).toBe(false);
    expect(isProtected('.gemini/notes/a.md')).toBe(false);
    expect(isProtectedAs('.gemini/**', '/app/.gemini/notes/a.md')).toBe(false);
    expect(isProtected('.gemini/settings.json')).toBe(true);
    expect(isProtectedAs('.gemini/**', '/elsewhere/settings.json')).toBe(true);
  });

  it('is judged by its real path, too (claim: protected-through-links)', () => {
    const folder = makeFolder();
    mkdirSync(join(folder, '.gemini'));
    symlinkSync('.gemini', join(folder, 'link'));
    symlinkSync('direct', join(folder, 'twice'));
    symlinkSync('.gemini/settings.json', join(folder, 'direct'));
    const { isProtected } = guard({}, folder);
    expect(isProtected('link/settings.json')).toBe(true);
    expect(isProtected('link/new/../settings.json')).toBe(true);
    expect(isProtected('direct')).toBe(true);
    expect(isProtected('twice')).toBe(true);
    expect(isProtected(join(folder, 'link', 'a.toml'))).toBe(true);
  });
});

describe('the guard', () => {
  it('is off in yolo and with protectedPaths: false, unless the caller names paths', () => {
    expect(guard({ approvalMode: 'yolo' }).isOff).toBe(true);
    expect(guard({ protectedPaths: false }).isOff).toBe(true);
    expect(guard().isOff).toBe(false);
  });

  it('includes folders of this process, whatever the exceptions are (claim: lease-protected)', () => {
    const workingDir = makeFolder();
    onTestFinished(reserveFolder(join(workingDir, 'out', '.batch')));
    for (const given of [['!**/*.json', '!out/**'], false] as const) {
      const { isOff, isProtected } = guard(
        { protectedPaths: given, approvalMode: 'yolo' },
        workingDir,
      );
      expect(isOff).toBe(false);
      expect(isProtected('out/.batch/id.json')).toBe(true);
      expect(isProtected('out/report.json')).toBe(false);
    }
  });
});
