import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { openIsolation } from '../../../src/batch/isolation/open-isolation.js';
import { git } from '../../base/git/git-as-user.js';
import { createShipLab, type ShipLab } from '../../queue/workspace/support.js';
import {
  base,
  type Program,
  program,
  type RandomTree,
  readTree,
  removeEmptyFolders,
  run,
} from './random-programs.js';
import { edit, type KINDS, saveAndOpen } from './support.js';

/** `shipped` is a worktree on a worker, which gets the tree and gives its changes back through a store. */
type Kind = (typeof KINDS)[number] | 'shipped';

/** Workspace of one step. */
interface OpenStep {
  readonly dir: string;
  /** Merges the changes of the step. False if there is a conflict. */
  readonly merge: () => Promise<boolean>;
  readonly dispose: () => Promise<void>;
}

/** What lies outside of the tree. Links lead there. */
const OUTSIDE_FILES = { a: 'outside\n', 'd/a': 'outside d\n', 'd/b': '1\n1\n' };

interface Lab {
  readonly folder: string;
  readonly outside: string;
  readonly scratch: string;
  readonly read: (folder: string) => RandomTree;
  readonly open: () => Promise<OpenStep>;
}

/** Runs a check in a new folder and removes everything afterwards. */
async function withLab(
  kind: Kind,
  fill: (folder: string, outside: string) => void,
  check: (lab: Lab) => Promise<void>,
): Promise<void> {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-cli-provider-test-')));
  const [folder, outside, stateDir] = [
    join(scratch, 'tree'),
    join(scratch, 'out'),
    join(scratch, 's'),
  ];
  const opened: OpenStep[] = [];
  const ships = createShipLab(join(scratch, 'ship'));
  try {
    mkdirSync(folder);
    edit(outside, OUTSIDE_FILES);
    fill(folder, outside);
    if (kind === 'worktree') git(folder, 'init', '-q', '--template=');
    await check({
      folder,
      outside,
      scratch,
      read: (at) => readTree(at, outside, { executableOnly: kind !== 'copy' }),
      open: async () => {
        const step =
          kind === 'shipped'
            ? await openShippedStep(ships, folder)
            : await openIsolated(kind, folder, stateDir, join(scratch, 'p'));
        opened.push(step);
        return step;
      },
    });
    expect(readTree(outside, outside, { executableOnly: true })).toEqual(
      Object.fromEntries(
        Object.entries(OUTSIDE_FILES).map(([path, text]) => [path, `644 ${text}`]),
      ),
    );
  } finally {
    for (const workspace of opened) await workspace.dispose();
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function openIsolated(
  kind: (typeof KINDS)[number],
  folder: string,
  stateDir: string,
  patchFile: string,
): Promise<OpenStep> {
  const at = { kind, workspaceDir: folder, stateDir };
  const workspace = await openIsolation({ ...at, label: 'x' });
  return {
    dir: workspace.dir,
    merge: async () => {
      const set = await saveAndOpen(workspace, at, { extraPaths: [] });
      const outcome = await set.mergeBack(patchFile);
      set.keepMerge();
      set.drop();
      await set.dispose();
      return outcome.merged;
    },
    dispose: () => workspace.dispose(),
  };
}

async function openShippedStep(ships: ShipLab, folder: string): Promise<OpenStep> {
  const shipped = await ships.ship(folder);
  const workspace = await ships.open(shipped);
  return {
    dir: workspace.dir,
    merge: async () => {
      const changes = await workspace.collect({ extraPaths: [] });
      try {
        await ships.apply(folder, shipped, changes);
        return true;
      } catch (error) {
        expect(error).toMatchObject({ code: 'EXPECTATION_FAILED', missing: [{ kind: 'merge' }] });
        return false;
      }
    },
    dispose: () => workspace.dispose(),
  };
}

interface Case {
  readonly base: Program;
  readonly program: Program;
}

/**
 * Leaves out what does not travel to another machine: FIFOs, and links that lead out of the tree. In a program that runs at
 * the top of the tree, these are also links to the folder above.
 */
function homeward(
  kind: Kind,
  programs: fc.Arbitrary<Program>,
  leadsOut: RegExp,
): fc.Arbitrary<Program> {
  if (kind !== 'shipped') return programs;
  return programs.map((commands) => {
    return commands.filter((one) => {
      return one.do !== 'mkfifo' && !(one.do === 'link' && leadsOut.test(one.target));
    });
  });
}

/**
 * Property: a program in an isolated workspace gives the same tree as the program in place. Several cases share one
 * workspace, each in a folder of its own, because opening a workspace costs more than a program.
 */
export function aloneProperty(kind: Kind, casesPerWorkspace: number) {
  const inFolder = (programs: fc.Arbitrary<Program>) => homeward(kind, programs, /^OUTSIDE/);
  const one = fc.record({ base: inFolder(base), program: inFolder(program) });
  const cases = fc.array(one, { minLength: 1, maxLength: casesPerWorkspace, size: 'max' });
  return fc.asyncProperty(cases, fc.nat({ max: 5 }), async (cases, fifo) => {
    await checkAlone(kind, cases, fifo === 0);
  });
}

export async function checkAlone(
  kind: Kind,
  cases: readonly Case[],
  hasFifo = false,
): Promise<void> {
  const forEach = (folder: string, work: (at: string, one: Case) => void): void => {
    for (const [index, one] of cases.entries()) {
      mkdirSync(join(folder, `s${index}`), { recursive: true });
      work(join(folder, `s${index}`), one);
    }
  };
  const fill = (folder: string, outside: string): void => {
    forEach(folder, (at, one) => runBase(one.base, at, outside, kind));
    if (hasFifo) addFifo(join(folder, 's0'));
  };
  await withLab(kind, fill, async ({ folder, outside, scratch, read, open }) => {
    const inPlace = join(scratch, 'in-place');
    mkdirSync(inPlace);
    fill(inPlace, outside);
    const before = read(folder);
    expect(read(inPlace)).toEqual(before);
    forEach(inPlace, (at, one) => run(one.program, at, outside));
    const workspace = await open();
    forEach(workspace.dir, (at, one) => run(one.program, at, outside));
    const merged = await workspace.merge();
    // The step does not see a FIFO of the user, and writes a file in its place: a conflict.
    if (hasFifo && !merged) expect(read(folder)).toEqual(before);
    else expect({ merged, tree: read(folder) }).toEqual({ merged: true, tree: read(inPlace) });
  });
}

/** Builds the tree before the steps. A worktree has no empty folders, so that a program would see another tree. */
function runBase(program: Program, folder: string, outside: string, kind: Kind): void {
  run(program, folder, outside);
  if (kind !== 'copy') removeEmptyFolders(folder);
}

function addFifo(folder: string): void {
  execFileSync('mkfifo', [join(folder, 'fifo')], { stdio: 'ignore' });
}

/** Property: steps that run at the same time give the three-way merge, or a conflict and an untouched tree. */
export function parallelProperty(kind: Kind, steps: number) {
  const atTop = (programs: fc.Arbitrary<Program>) => homeward(kind, programs, /^(OUTSIDE|\.\.)/);
  const programs = fc.array(atTop(program), { minLength: 2, maxLength: steps });
  return fc.asyncProperty(atTop(base), programs, (base, programs) =>
    checkParallel(kind, base, programs),
  );
}

export async function checkParallel(
  kind: Kind,
  base: Program,
  programs: readonly Program[],
): Promise<void> {
  const fill = (folder: string, outside: string): void => runBase(base, folder, outside, kind);
  await withLab(kind, fill, async ({ folder, outside, scratch, read, open }) => {
    const start = read(folder);
    const workspaces = await Promise.all(programs.map(() => open()));
    for (const [index, workspace] of workspaces.entries()) {
      const inPlace = join(scratch, `in-place-${index}`);
      mkdirSync(inPlace);
      fill(inPlace, outside);
      run(programs[index] ?? [], inPlace, outside);
      run(programs[index] ?? [], workspace.dir, outside);
      const theirs = read(inPlace);
      const ours = read(folder);
      const wanted = combineTrees(start, ours, theirs, kind);
      const merged = await workspace.merge();
      const after = read(folder);
      if (!merged) {
        expect(after).toEqual(ours);
        expect(wanted).not.toHaveProperty('tree');
      } else if ('tree' in wanted) expect(after).toEqual(wanted.tree);
      else {
        expect(wanted).not.toEqual({ sure: true });
        expect(keptOf(after, start, ours, theirs)).toEqual(keptOf(ours, start, ours, theirs));
      }
    }
  });
}

/** Selects the old paths that the step has not touched. A merge may not change them. */
function keptOf(
  tree: RandomTree,
  start: RandomTree,
  ours: RandomTree,
  theirs: RandomTree,
): RandomTree {
  const untouched = Object.entries(tree).filter(([path]) => {
    return path in start && path in ours && start[path] === theirs[path];
  });
  return Object.fromEntries(untouched);
}

type Combination = { readonly tree: RandomTree } | { readonly sure: boolean };

/** Returns the expected merge; `sure: true` for a certain conflict, `sure: false` if git may decide either way. */
function combineTrees(
  start: RandomTree,
  ours: RandomTree,
  theirs: RandomTree,
  kind: Kind,
): Combination {
  const tree: Record<string, string> = {};
  let isSure = true;
  let isConflict = false;
  for (const path of new Set([
    ...Object.keys(start),
    ...Object.keys(ours),
    ...Object.keys(theirs),
  ])) {
    const [from, one, other] = [start[path], ours[path], theirs[path]];
    const isBothRemoved = from !== undefined && one === undefined && other === undefined;
    // Git may see a rename on one side or on both.
    if (isBothRemoved && kind !== 'copy') isSure = false;
    if (one === other || from === other) setEntry(tree, path, one);
    else if (from === one) setEntry(tree, path, other);
    else {
      isConflict = true;
      // Two texts may be merged line by line; modes of two files may be merged.
      const isText = [from, one, other].every(
        (entry) => entry !== undefined && !entry.startsWith('->'),
      );
      if (isText || (from !== undefined && kind !== 'copy')) isSure = false;
    }
  }
  const paths = Object.keys(tree).sort();
  if (paths.some((path) => paths.some((other) => other.startsWith(`${path}/`)))) isConflict = true;
  return isConflict || !isSure ? { sure: isSure } : { tree };
}

function setEntry(tree: Record<string, string>, path: string, entry: string | undefined): void {
  if (entry !== undefined) tree[path] = entry;
}
