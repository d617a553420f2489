import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { choosePlainUser } from './plain-user.js';
import { makeFolder, read } from './support.js';

const PROGRAM = join(import.meta.dirname, 'programs', 'isolated-step.mjs');
const IDENTITY = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
const MEGABYTE = 1024 * 1024;

/** Runs a shell script in a mount namespace of its own, in which it may mount a small disk. */
function inNamespace(script: string, args: readonly string[]): string {
  const command = ['-rm', 'sh', '-ec', script, 'sh', ...args];
  return execFileSync('unshare', command, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Returns the path of the patch that a failed step has kept. */
function keptPatch(report: string, message: RegExp): string {
  const { state, error } = JSON.parse(report);
  expect({ state, message: error?.message }).toEqual({
    state: 'failed',
    message: expect.stringMatching(message),
  });
  const [, kept = ''] = /The changes are kept in (\S+)\.(?: |$)/.exec(error.hint) ?? [];
  expect(existsSync(kept)).toBe(true);
  return kept;
}

/** Runs a step whose merge fills the disk. The state lies on another disk. Returns the report and what is left. */
function fillDisk(kind: string, files: Readonly<Record<string, string | number>>) {
  const [disk, out] = [makeFolder(), join(makeFolder(), 'out')];
  // The small disk has room for the repository, and not for the new file.
  const script = `
    mount -t tmpfs -o size=2m tmpfs "$1"
    mkdir "$1/repo" && cd "$1/repo" && git init -q --template=
    printf 'a\\n' > a.txt && git add -A && git ${IDENTITY.join(' ')} commit -qm first
    "$2" "$3" "$1/repo" "$4" "$5" "$6"
    printf '\\n' && cat a.txt && ls -A && git status --porcelain`;
  const args = [disk, process.execPath, PROGRAM, kind, out, JSON.stringify(files)];
  const [report = '', ...left] = inNamespace(script, args).split('\n');
  return { report, left };
}

it('a step in a worktree whose repository has no room for a patch keeps its files (claim: merge-full-disk)', () => {
  const files = { 'a.txt': 'changed\n', 'big.bin': -3 * MEGABYTE };
  const { report, left } = fillDisk('worktree', files);
  const kept = keptPatch(report, /^Command git \S+ failed/);
  expect(left).toEqual(['a', '.git', 'a.txt', '']);
  expect(read(kept, 'files', 'a.txt')).toBe('changed\n');
  expect(statSync(join(kept, 'files', 'big.bin')).size).toBeGreaterThan(3 * MEGABYTE);
});

describe.each(['worktree', 'copy'])('a merge from a %s', (kind) => {
  it('onto a full disk leaves the tree as it was and keeps the patch (claim: merge-full-disk)', () => {
    const files = { 'a.txt': 'changed\n', 'big.txt': 3 * MEGABYTE, 'new/b.txt': 'b\n' };
    const { report, left } = fillDisk(kind, files);
    const kept = keptPatch(report, /Cannot merge the changes of the step: ENOSPC/);
    expect(left).toEqual(['a', '.git', 'a.txt', '']);
    const target = makeFolder({ 'a.txt': 'a\n' });
    execFileSync('git', ['-C', target, 'apply', kept]);
    expect(read(target, 'a.txt')).toBe('changed\n');
    expect(statSync(join(target, 'big.txt')).size).toBe(3 * MEGABYTE);
    expect(read(target, 'new/b.txt')).toBe('b\n');
  });

  it('into a read-only folder leaves the tree as it was and keeps the patch (claim: merge-read-only)', () => {
    const folder = makeFolder({ 'a.txt': 'a\n', 'closed/b.txt': 'b\n' });
    const home = makeFolder();
    execFileSync('git', ['-C', folder, 'init', '-q', '--template=']);
    execFileSync('git', ['-C', folder, 'add', '-A']);
    const { launcher, identity, own } = choosePlainUser();
    for (const owned of [folder, home]) own(owned);
    // In a copy the folder is read-only too: the step itself makes it writable.
    chmodSync(join(folder, 'closed'), 0o555);
    const files = { 'a.txt': 'changed\n', 'closed-not/c.txt': 'c\n', 'closed/b.txt': 'B\n' };
    const out = join(home, 'out');
    const words = [PROGRAM, folder, kind, out, JSON.stringify(files)];
    const [command = '', ...args] = [...launcher, process.execPath, ...words];
    const report = execFileSync(command, args, {
      encoding: 'utf8',
      env: { ...process.env, HOME: home, TMPDIR: home, XDG_STATE_HOME: home },
      ...identity,
    });
    const kept = keptPatch(report, /Cannot merge the changes of the step: EACCES.*closed/);
    expect(read(folder, 'a.txt')).toBe('a\n');
    expect(read(folder, 'closed', 'b.txt')).toBe('b\n');
    expect(readdirSync(folder).sort()).toEqual(['.git', 'a.txt', 'closed']);
    chmodSync(join(folder, 'closed'), 0o755);
    execFileSync('git', ['-c', `safe.directory=${folder}`, '-C', folder, 'apply', kept]);
    expect(read(folder, 'closed', 'b.txt')).toBe('B\n');
  });
});
