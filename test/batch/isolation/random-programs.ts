import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import fc from 'fast-check';

/** One command of a program. Paths have one character per byte (latin1). A command that is not possible does nothing. */
export type Command =
  | { readonly do: 'write' | 'append'; readonly path: string; readonly text: string }
  | { readonly do: 'delete' | 'mkfifo' | 'copy-link'; readonly path: string }
  | {
      readonly do: 'rename' | 'hard-link' | 'move-and-link';
      readonly path: string;
      readonly to: string;
    }
  | { readonly do: 'chmod'; readonly path: string; readonly mode: number }
  | { readonly do: 'link'; readonly path: string; readonly target: string };

export type Program = readonly Command[];

/** Stands for the folder outside of the tree in the target of a link. */
const OUTSIDE = 'OUTSIDE';
const NAMES = ['a', 'A', 'b', 'd', 'D', 'l', '\xe4'];
const TARGETS = ['a', 'd', 'd/a', 'l', '../a', '../d', 'nowhere', OUTSIDE, `${OUTSIDE}/d`];
const MODES = [0o644, 0o755, 0o600, 0o640];
const DEEPEST_COPY = 4;

const path = fc
  .array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 })
  .map((names) => names.join('/'));
const text = fc.nat({ max: 5 }).map((number) => `${number}\n`.repeat(number + 1));

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('write' as const), path, text }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('append' as const), path, text }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), path }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('rename' as const), path, to: path }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('hard-link' as const), path, to: path }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('chmod' as const),
      path,
      mode: fc.constantFrom(...MODES),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('link' as const),
      path,
      target: fc.constantFrom(...TARGETS),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('copy-link' as const), path }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('move-and-link' as const), path, to: path }),
  },
);

/** A FIFO costs the start of a process, so that programs with one are rare. */
export const program: fc.Arbitrary<Program> = fc.oneof(
  { weight: 9, arbitrary: fc.array(command, { maxLength: 6 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.array(command, { maxLength: 3 }), path, fc.array(command, { maxLength: 3 }))
      .map(([before, at, after]) => [...before, { do: 'mkfifo' as const, path: at }, ...after]),
  },
);

/** Commands that build the tree before the steps. A workspace separates hard links, so that there are none here. */
export const base: fc.Arbitrary<Program> = fc
  .array(command, { minLength: 6, maxLength: 14 })
  .map((commands) => commands.filter((command) => command.do !== 'hard-link'));

/** Runs a program in a folder. The result depends on the folder's content only, not on its path. */
export function run(program: Program, folder: string, outside: string): void {
  for (const step of program) {
    try {
      perform(step, folder, outside);
    } catch {
      // A shell would go on after a command that fails, and so does a program here.
    }
  }
}

function perform(step: Command, folder: string, outside: string): void {
  const at = (path: string): Buffer => {
    const target = Buffer.from(`${Buffer.from(folder).toString('latin1')}/${path}`, 'latin1');
    if (!isBelow(folder, target)) throw new Error('the path leads out of the tree');
    return target;
  };
  const target = at(step.path);
  switch (step.do) {
    case 'write':
    case 'append':
      makeParent(target);
      writeTo(
        target,
        folder,
        step.text,
        step.do === 'append' ? constants.O_APPEND : constants.O_TRUNC,
      );
      break;
    case 'delete':
      rmSync(target, { recursive: true });
      break;
    case 'rename':
      lstatSync(target);
      makeParent(at(step.to));
      renameSync(target, at(step.to));
      break;
    case 'hard-link':
      if (lstatSync(target).isFile()) linkSync(target, at(step.to));
      break;
    case 'chmod':
      if (lstatSync(target).isFile()) chmodSync(target, step.mode);
      break;
    case 'link':
      makeParent(target);
      rmSync(target, { recursive: true, force: true });
      symlinkSync(step.target.replace(OUTSIDE, outside), target);
      break;
    case 'copy-link': {
      const real = realpathSync(target, 'buffer');
      const copy = Buffer.concat([target, Buffer.from('.copy')]);
      copyDeep(real, copy, DEEPEST_COPY);
      rmSync(target, { recursive: true });
      renameSync(copy, target);
      break;
    }
    case 'move-and-link':
      lstatSync(target);
      makeParent(at(step.to));
      renameSync(target, at(step.to));
      symlinkSync(step.to, target);
      break;
    case 'mkfifo':
      makeParent(target);
      rmSync(target, { recursive: true, force: true });
      execFileSync('mkfifo', [target.toString('latin1')], { stdio: 'ignore' });
  }
}

/** True if the parent of a path, with its links followed, is in the folder. */
function isBelow(folder: string, target: Buffer): boolean {
  let parent = parentOf(target);
  for (;;) {
    try {
      const real = realpathSync(parent, 'buffer');
      const root = realpathSync(Buffer.from(folder), 'buffer');
      return `${real.toString('latin1')}/`.startsWith(`${root.toString('latin1')}/`);
    } catch {
      // A broken link has no real path: the command would create its target.
      if (isThere(parent)) return false;
      parent = parentOf(parent);
    }
  }
}

function isThere(path: Buffer): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function parentOf(path: Buffer): Buffer {
  return path.subarray(0, path.lastIndexOf('/'));
}

function makeParent(target: Buffer): void {
  mkdirSync(parentOf(target), { recursive: true });
}

function writeTo(target: Buffer, folder: string, text: string, flags: number): void {
  // A link at the end is followed only within the tree: a broken one would create a file elsewhere.
  if (isThere(target) && !isBelow(folder, Buffer.concat([realpathSync(target, 'buffer')]))) return;
  const { O_WRONLY, O_CREAT, O_NONBLOCK } = constants;
  const file = openSync(target, O_WRONLY | O_CREAT | O_NONBLOCK, 0o644);
  try {
    if (!fstatSync(file).isFile()) return;
  } finally {
    closeSync(file);
  }
  const again = openSync(target, O_WRONLY | flags);
  writeSync(again, text);
  closeSync(again);
}

/** Copies as `cp -rL` does. Leaves out what is neither a file nor a folder, and what is too deep. */
function copyDeep(from: Buffer, to: Buffer, depth: number): void {
  const stats = statSync(from, { throwIfNoEntry: false });
  if (stats?.isFile()) copyFileSync(from, to);
  if (!stats?.isDirectory() || depth === 0) return;
  mkdirSync(to);
  for (const name of readdirSync(from, 'buffer').sort(Buffer.compare)) {
    const inside = [from, to].map((folder) => Buffer.concat([folder, Buffer.from('/'), name]));
    try {
      copyDeep(inside[0] ?? from, inside[1] ?? to, depth - 1);
    } catch {
      // A link in a circle cannot be copied.
    }
  }
}

/** Entries by path: `644 content` for a file, `-> target` for a link. FIFOs and empty folders are left out. */
export type RandomTree = Readonly<Record<string, string>>;

/** Reads a tree. With `executableOnly` a mode is 644 or 755, as git knows it. */
export function readTree(
  folder: string,
  outside: string,
  { executableOnly }: { readonly executableOnly: boolean },
): RandomTree {
  const found: Record<string, string> = {};
  const visit = (path: string): void => {
    const at = (inside: string): Buffer => {
      return Buffer.from(`${Buffer.from(folder).toString('latin1')}/${inside}`, 'latin1');
    };
    for (const name of readdirSync(at(path), 'latin1').sort()) {
      const inside = path === '' ? name : `${path}/${name}`;
      if (inside === '.git') continue;
      const stats = lstatSync(at(inside));
      if (stats.isDirectory()) visit(inside);
      else if (stats.isSymbolicLink()) {
        found[inside] = `-> ${readlinkSync(at(inside)).replace(outside, OUTSIDE)}`;
      } else if (stats.isFile()) {
        const mode = stats.mode & 0o777;
        const shown = executableOnly ? ((mode & 0o100) === 0 ? 0o644 : 0o755) : mode;
        found[inside] = `${shown.toString(8)} ${readFileSync(at(inside), 'latin1')}`;
      }
    }
  };
  visit('');
  return found;
}

/** Removes all folders below a folder that contain no file, no link and no FIFO. */
export function removeEmptyFolders(folder: string): void {
  const visit = (path: Buffer): void => {
    for (const name of readdirSync(path, 'buffer')) {
      const inside = Buffer.concat([path, Buffer.from('/'), name]);
      if (!lstatSync(inside).isDirectory()) continue;
      visit(inside);
      if (readdirSync(inside).length === 0) rmdirSync(inside);
    }
  };
  visit(Buffer.from(folder));
}
