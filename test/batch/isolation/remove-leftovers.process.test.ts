import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeProcess } from '../../../src/base/process/process-identity.js';
import { removeLeftovers } from '../../../src/batch/isolation/remove-leftovers.js';
import { writeSealedFile } from '../../../src/batch/state/sealed-file.js';
import { openStateKey } from '../../../src/batch/state/state-key.js';
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

/** Cleans up for a plan with this working directory, and returns the messages. */
async function cleanUp(
  stateDir: string,
  folder: string,
  keptMerges: ReadonlySet<string> = new Set(),
): Promise<readonly string[]> {
  const { removed, kept } = await removeLeftovers(stateDir, { keptMerges, workingDirs: [folder] });
  return [...removed, ...kept];
}

/** Lists a state folder without its key. */
function listState(stateDir: string): string[] {
  return readdirSync(stateDir).filter((name) => name !== 'key');
}

function start(kind: 'worktree' | 'copy', folder: string, stateDir: string) {
  openStateKey(stateDir);
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
      expect(await cleanUp(stateDir, folder)).toEqual([
        expect.stringMatching(/^left .*: its owner \(process \d+ on .*\) may still be alive$/),
      ]);
      expect(listState(stateDir)).toHaveLength(2);
      await kill(host);
      expect(await cleanUp(stateDir, folder)).toEqual([
        expect.stringMatching(/^removed .*gemini-cli-provider-[0-9a-f]{16}$/),
      ]);
      expect(listState(stateDir)).toEqual([]);
      expect(readPersonal(repository)).toEqual(before);
      expect(await cleanUp(stateDir, folder)).toEqual([]);
    },
  );

  it('of this process are kept while a workspace is open', async () => {
    const { folder, stateDir } = makeRepository();
    const workspace = await open({ kind: 'worktree', workspaceDir: folder, stateDir });
    expect(await cleanUp(stateDir, folder)).toEqual([]);
    expect(existsSync(workspace.dir)).toBe(true);
    await workspace.dispose();
    expect(await cleanUp(stateDir, folder)).toEqual([]);
  });

  it('are only workspaces with a signed record, in folders of the plan (claim: clean-up-in-plan)', async () => {
    const [stateDir, victim, work] = [makeTree(), makeTree({ 'precious.txt': 'p\n' }), makeTree()];
    openStateKey(stateDir);
    mkdirSync(join(stateDir, 'isolated'));
    const owner = { ...describeProcess(), id: 'dead', pid: 0x3fffffff };
    const record = (id: string, parent: string, root: string) => {
      const home = join(parent, `gemini-cli-provider-${id}`);
      const stage = join(home, `gemini-cli-provider-${id}`);
      const tree = join(home, 'tree', basename(root));
      return { id, kind: 'copy', root, home, tree, stage, owner };
    };
    const file = (id: string) => join(stateDir, 'isolated', `${id}.json`);
    const [unsigned, outside, elsewhere, gone] = ['0', '1', '2', '3'].map((digit) => {
      return `${digit}123456789abcdef`;
    });
    if (!unsigned || !outside || !elsewhere || !gone) throw new Error('there are four ids');
    writeFileSync(file(unsigned), JSON.stringify(record(unsigned, stateDir, work)));
    writeSealedFile(file(outside), record(outside, stateDir, victim));
    writeSealedFile(file(elsewhere), record(elsewhere, victim, work));
    const alsoGone = '6123456789abcdef';
    for (const id of [gone, alsoGone]) writeSealedFile(file(id), record(id, stateDir, work));
    const planted = record(outside, stateDir, victim);
    mkdirSync(planted.stage, { recursive: true });
    writeFileSync(join(planted.home, 'owner'), outside);
    writeFileSync(join(planted.stage, 'old-0'), 'evil');
    const change = { path: '.ssh/authorized_keys', original: undefined, replacesFolder: false };
    writeSealedFile(join(stateDir, 'isolated', `${outside}.journal`), {
      root: victim,
      stage: planted.stage,
      changes: [change],
      newFolders: [],
    });
    const unfinished = ['4123456789abcdef.json.0a.new', '5123456789abcdef.json.0b.new'];
    for (const name of unfinished) writeFileSync(join(stateDir, 'isolated', name), '');
    utimesSync(join(stateDir, 'isolated', unfinished[0] ?? ''), 1, 1);
    expect(await cleanUp(stateDir, work)).toEqual([
      expect.stringMatching(/^removed [^;]*3123456789abcdef, [^;]*6123456789abcdef$/),
      expect.stringMatching(/^ignored .*0123456789abcdef\.json: it is damaged/),
      expect.stringMatching(/^left .*1123456789abcdef and .*: they are no folders of this plan$/),
      expect.stringMatching(/^left .*2123456789abcdef and .*: they are no folders of this plan$/),
    ]);
    expect(read(victim)).toEqual({ 'precious.txt': 'p\n' });
    expect(readdirSync(join(stateDir, 'isolated'))).not.toContain(unfinished[0]);
    expect(readdirSync(join(stateDir, 'isolated'))).toContain(unfinished[1]);
    expect(await cleanUp(makeTree(), work)).toEqual([]);
    expect(await cleanUp(join(victim, 'no', 'folder'), work)).toEqual([]);
  });

  it('do not include worktrees of the user, even if their disk is not mounted', async () => {
    const { folder, stateDir, git: own } = makeRepository();
    const away = join(makeTree(), 'away');
    own('worktree', 'add', '-q', '--detach', away);
    edit(join(away, '..'), { away: null });
    const { host, until } = start('worktree', folder, stateDir);
    await until('ready');
    await kill(host);
    await cleanUp(stateDir, folder);
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
        await cleanUp(stateDir, folder);
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
        await cleanUp(stateDir, folder, new Set(isKept ? [id] : []));
        expect(read(folder)).toEqual(isKept ? AFTER : FILES);
        expect(listState(stateDir)).toEqual([]);
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
      while ((await cleanUp(repository.stateDir, repository.folder)).length > 0) await delay(20);
    }
    expect(listState(repository.stateDir).filter((name) => name !== 'isolated')).toEqual([]);
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
      await cleanUp(stateDir, folder);
      expect(listState(stateDir)).toEqual([]);
    },
  );
});

/** True before the merge. The merge may end before this test sees the journal. */
function isNotMerged(folder: string): boolean {
  return existsSync(join(folder, 'gone-0'));
}
