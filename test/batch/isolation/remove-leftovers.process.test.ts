import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { removeLeftovers } from '../../../src/batch/isolation/remove-leftovers.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { git } from '../../base/git/git-as-user.js';
import { edit, makeRepository, open, read, readPersonal } from './support.js';

const PROGRAM = fileURLToPath(new URL('../../fixtures/cli/isolating.mjs', import.meta.url));
const MANY = Array.from(
  { length: 40 },
  (_, index) => `${index % 4 === 0 ? 'gone' : 'file'}-${index}`,
);
const FILES = Object.fromEntries(MANY.map((name) => [name, `before ${name}\n`.repeat(500)]));
const AFTER = Object.fromEntries([
  ...MANY.filter((name) => !name.startsWith('gone')).map((name) => [
    name,
    `after ${name}\n`.repeat(500),
  ]),
  ...MANY.map((name) => [`new-${name}`, `new ${name}\n`.repeat(500)]),
]);

function start(kind: 'worktree' | 'copy', folder: string, stateDir: string) {
  const host = spawn(process.execPath, [PROGRAM, kind, folder, stateDir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void host.kill('SIGKILL'));
  let output = '';
  host.stdout.on('data', (chunk) => {
    output += String(chunk);
  });
  const until = async (word: string): Promise<void> => {
    while (!output.includes(word)) await once(host.stdout, 'data');
  };
  return { host, until };
}

async function kill(host: ChildProcess): Promise<void> {
  const gone = once(host, 'exit');
  host.kill('SIGKILL');
  await gone;
}

describe('leftovers', () => {
  it.each(['worktree', 'copy'] as const)(
    'of a %s are removed after its process has ended, and not before',
    async (kind) => {
      const repository = makeRepository();
      const { folder, stateDir } = repository;
      const before = readPersonal(repository);
      const { host, until } = start(kind, folder, stateDir);
      await until('ready');
      expect(await removeLeftovers(stateDir)).toEqual([]);
      expect(readdirSync(stateDir)).toHaveLength(2);
      await kill(host);
      expect(await removeLeftovers(stateDir)).toEqual([
        expect.stringMatching(/^removed .*gemini-cli-provider-[0-9a-f]{16}$/),
      ]);
      expect(readdirSync(stateDir)).toEqual([]);
      expect(readPersonal(repository)).toEqual(before);
      expect(await removeLeftovers(stateDir)).toEqual([]);
    },
  );

  it('of this process are kept while a workspace is open', async () => {
    const { folder, stateDir } = makeRepository();
    const workspace = await open({ kind: 'worktree', workspaceDir: folder, stateDir });
    expect(await removeLeftovers(stateDir)).toEqual([]);
    expect(existsSync(workspace.dir)).toBe(true);
    await workspace.dispose();
    expect(await removeLeftovers(stateDir)).toEqual([]);
  });

  it('are only workspaces that have a record and a marker', async () => {
    const [stateDir, victim] = [makeTree(), makeTree({ 'precious.txt': 'p\n' })];
    const record = (id: string, home: string): void => {
      mkdirSync(join(stateDir, 'isolated'), { recursive: true });
      const content = {
        id,
        kind: 'copy',
        root: victim,
        home,
        tree: victim,
        stage: join(home, 'x'),
        pid: 0x3fffffff,
      };
      writeFileSync(join(stateDir, 'isolated', `${id}.json`), JSON.stringify(content));
    };
    record('0123456789abcdef', victim);
    record('1123456789abcdef', join(makeTree(), 'not-there'));
    writeFileSync(join(stateDir, 'isolated', '2123456789abcdef.json'), '{"id":');
    writeFileSync(join(stateDir, 'isolated', 'notes.txt'), 'mine\n');
    const unfinished = ['3123456789abcdef.json.new', '4123456789abcdef.json.new'];
    for (const name of unfinished) writeFileSync(join(stateDir, 'isolated', name), '');
    utimesSync(join(stateDir, 'isolated', unfinished[0] ?? ''), 1, 1);
    expect(await removeLeftovers(stateDir)).toEqual([
      `could not remove ${victim}`,
      expect.stringMatching(/^removed .*not-there$/),
    ]);
    expect(read(victim)).toEqual({ 'precious.txt': 'p\n' });
    expect(readdirSync(join(stateDir, 'isolated')).sort()).toEqual([
      '0123456789abcdef.json',
      '2123456789abcdef.json',
      '4123456789abcdef.json.new',
      'notes.txt',
    ]);
    expect(await removeLeftovers(makeTree())).toEqual([]);
    expect(await removeLeftovers(join(victim, 'no', 'folder'))).toEqual([]);
  });

  it('do not include worktrees of the user, even if their disk is not mounted', async () => {
    const { folder, stateDir, git: own } = makeRepository();
    const away = join(makeTree(), 'away');
    own('worktree', 'add', '-q', '--detach', away);
    edit(join(away, '..'), { away: null });
    const { host, until } = start('worktree', folder, stateDir);
    await until('ready');
    await kill(host);
    await removeLeftovers(stateDir);
    expect(git(folder, 'worktree', 'list')).toContain(away);
  });
});

describe('a killed process', () => {
  it.each(['worktree', 'copy'] as const)(
    'leaves complete files in the middle of a merge from a %s, and the merge can be reverted',
    async (kind) => {
      for (const waitMs of kind === 'copy' ? [0, 15] : [5]) {
        const folder = makeTree(FILES);
        const stateDir = makeTree();
        if (kind === 'worktree') git(folder, 'init', '-q', '--template=');
        const { host, until } = start(kind, folder, stateDir);
        await until('ready');
        host.stdin?.write('go\n');
        // The journal exists while files are moved to their targets.
        const records = join(stateDir, 'isolated');
        while (
          !readdirSync(records).some((name) => name.endsWith('.journal')) &&
          isNotMerged(folder)
        );
        await delay(waitMs);
        await kill(host);
        for (const [path, text] of Object.entries(read(folder))) {
          expect([FILES[path], AFTER[path]]).toContain(text);
        }
        await removeLeftovers(stateDir);
        expect([FILES, AFTER]).toContainEqual(read(folder));
        expect(existsSync(records)).toBe(false);
      }
    },
  );

  it.each(['worktree', 'copy'] as const)(
    'has its merge from a %s reverted, unless the merge is to be kept',
    async (kind) => {
      const folder = makeTree(FILES);
      const stateDir = makeTree();
      if (kind === 'worktree') git(folder, 'init', '-q', '--template=');
      for (const isKept of [false, true]) {
        const { host, until } = start(kind, folder, stateDir);
        await until('ready');
        host.stdin?.write('go\n');
        await until('merged');
        await kill(host);
        expect(read(folder)).toEqual(AFTER);
        const [record = ''] = readdirSync(join(stateDir, 'isolated'));
        const [id = ''] = record.split('.');
        await removeLeftovers(stateDir, new Set(isKept ? [id] : []));
        expect(read(folder)).toEqual(isKept ? AFTER : FILES);
        expect(readdirSync(stateDir)).toEqual([]);
      }
    },
  );

  it('leaves only removable files if it was opening a worktree', async () => {
    const repository = makeRepository(FILES);
    const before = readPersonal(repository);
    for (const waitMs of [60, 150]) {
      const { host, until } = start('worktree', repository.folder, repository.stateDir);
      await until('opening');
      await delay(waitMs);
      await kill(host);
      // A git command of the killed process may still be writing.
      while ((await removeLeftovers(repository.stateDir)).length > 0) await delay(20);
    }
    expect(readdirSync(repository.stateDir).filter((name) => name !== 'isolated')).toEqual([]);
    expect(readPersonal(repository)).toEqual(before);
    expect(read(repository.folder)).toEqual(FILES);
  });
});

describe('a full disk', () => {
  it.each(['worktree', 'copy'] as const)(
    'fails the merge from a %s before the original is touched',
    async (kind) => {
      const folder = makeTree(FILES);
      const stateDir = makeTree();
      if (kind === 'worktree') git(folder, 'init', '-q', '--template=');
      const { host, until } = start(kind, folder, stateDir);
      await until('ready');
      execFileSync('prlimit', ['--pid', String(host.pid), '--fsize=6000']);
      host.stdin?.write('go\n');
      await until('refused INVALID_INPUT');
      await kill(host);
      expect(read(folder)).toEqual(FILES);
      await removeLeftovers(stateDir);
      expect(readdirSync(stateDir)).toEqual([]);
    },
  );
});

/** True before the merge. The merge may end before this test sees the journal. */
function isNotMerged(folder: string): boolean {
  return existsSync(join(folder, 'gone-0'));
}
