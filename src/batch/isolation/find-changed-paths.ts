import { readlinkSync } from 'node:fs';
import type { GitDir } from '../../base/git/run-git.js';
import { type BytePath, onDisk } from './byte-path.js';
import { TreeChangedError } from './check-changes.js';
import { type FileIdentity, isExecutable, readStats, toFileIdentity } from './file-identity.js';
import { gitOutput } from './git-output.js';
import type { StepChange } from './step-changes.js';
import { readEntry } from './tree-entry.js';
import { blobName } from './write-commit.js';

const LINK = '120000';
const EXECUTABLE = '100755';
/** Names that git would read as quoted, or whose line would end early. */
const QUOTED = /^"|[\n\r]/;

/** State of the paths of a step in the user's working tree. */
export interface ComparedPaths {
  /** Paths that are not as they were when the step began. */
  readonly changed: ReadonlySet<BytePath>;
  /** Files at the paths, read before their content: a file with the same identity still has that content. */
  readonly identities: ReadonlyMap<BytePath, FileIdentity>;
  /** True if a path is gone or has become a folder: the user may have renamed a file, and the whole tree must be read. */
  readonly hasMoved: boolean;
}

export interface CompareOptions {
  /** True if git compares the execute bit (`core.fileMode`). */
  readonly trustModes: boolean;
  /** True for the paths of several steps. For a single step, no file is read if the whole tree must be read anyway. */
  readonly isGroup?: boolean | undefined;
}

/**
 * Compares the paths of steps with the user's working tree, by one git call for all of them and by none if all paths are
 * new. Reads only files that a step has changed, so that the costs do not grow with the repository.
 */
export async function findChangedPaths(
  git: GitDir,
  changes: readonly StepChange[],
  { trustModes, isGroup = false }: CompareOptions,
): Promise<ComparedPaths> {
  const root = git.folder;
  const changed = new Set<BytePath>();
  const identities = new Map<BytePath, FileIdentity>();
  const toHash: { readonly path: BytePath; readonly name: string }[] = [];
  let hasMoved = false;
  for (const { path, before, isConverted } of changes) {
    const there = readEntry(root, path);
    if (there === undefined && before === undefined) continue;
    const [mode = '', name = ''] = before?.split(' ') ?? [];
    if (there?.isFile() || there?.isSymbolicLink()) {
      identities.set(path, toFileIdentity(there));
    } else if (!isConverted) hasMoved = true;
    if (there?.isSymbolicLink()) {
      const target = readlinkSync(onDisk(root, path), 'buffer');
      if (mode !== LINK || blobName(target, name.length) !== name) changed.add(path);
    } else if (!there?.isFile() || before === undefined || mode === LINK) {
      changed.add(path);
    } else if (trustModes && isExecutable(there) !== (mode === EXECUTABLE)) {
      changed.add(path);
    } else toHash.push({ path, name });
  }
  if (hasMoved && !isGroup) {
    for (const { path } of toHash) changed.add(path);
    return { changed, identities, hasMoved };
  }
  const names = await hashFiles(
    git,
    toHash.map(({ path }) => path),
  );
  for (const [index, { path, name }] of toHash.entries()) {
    if (names[index] !== name) changed.add(path);
  }
  return { changed, identities, hasMoved };
}

/** Returns the names that git would give to the files, with its conversions. */
async function hashFiles(git: GitDir, paths: readonly BytePath[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const stdin = Buffer.from(paths.map((path) => `${quote(path)}\n`).join(''), 'latin1');
  try {
    const output = await gitOutput(git, ['hash-object', '--stdin-paths'], { stdin });
    return output.toString().split('\n');
  } catch (error) {
    const isGone = paths.some((path) => !readStats(onDisk(git.folder, path))?.isFile());
    if (isGone) throw new TreeChangedError();
    throw error;
  }
}

function quote(path: BytePath): string {
  if (!QUOTED.test(path)) return path;
  const escaped = path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  return `"${escaped}"`;
}
