import {
  copyFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { hasErrno } from '../../base/errors/errno.js';
import { readFolder } from '../../base/fs/read-folder.js';
import { lstatIfThere } from '../../base/fs/stats.js';
import { writeAtomically } from '../../base/fs/write-atomically.js';
import { PROJECT_ROOT_FILE } from '../files/project-folders.js';
import { readSessionId } from '../files/session-head.js';
import { readSessionSummary } from '../files/session-summary.js';
import { mapPaths, type PathReplacements } from './map-paths.js';

/** Larger files are moved as they are. The longest string of Node is half a gigabyte. */
const MOST_MAPPED_BYTES = 128 * 1024 * 1024;
/** Larger session files are never taken for empty. */
const MOST_EMPTY_BYTES = 256 * 1024;
/** Highest number of files of one session in a folder. */
const MOST_VARIANTS = 1_000;

export interface ProjectMove {
  /** Folder of the temporary project. */
  readonly from: string;
  /** Folder of the project that gets the files; undefined if only empty sessions are removed. */
  readonly to: string | undefined;
  /** Files that do not move, as paths from the folder. */
  readonly kept: ReadonlySet<string>;
  /** Paths that are replaced in session files. */
  readonly replacements?: PathReplacements | undefined;
}

/**
 * Moves the files of a project into the folder of another one: session files, those of sub-agents, tool outputs, plans.
 * A file is removed only after its content is on the disk in its new folder. A file that has another content there
 * stays where it is. Sessions without a prompt and an answer are removed, as the CLI itself does when it exits. Removes
 * the folder if nothing is left in it. Returns true if the folder is gone.
 */
export async function moveProjectFiles(move: ProjectMove): Promise<boolean> {
  await moveFolder(move, '');
  const left = readFolder(move.from);
  if (left.some(({ name }) => name !== PROJECT_ROOT_FILE)) return false;
  rmSync(join(move.from, PROJECT_ROOT_FILE), { force: true });
  return removeEmpty(move.from);
}

async function moveFolder(move: ProjectMove, path: string): Promise<void> {
  for (const entry of readFolder(join(move.from, path))) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) {
      await moveFolder(move, inner);
      removeEmpty(join(move.from, inner));
    } else if (entry.isFile() && inner !== PROJECT_ROOT_FILE && !move.kept.has(inner)) {
      await moveFile(move, inner);
    }
  }
}

async function moveFile(move: ProjectMove, path: string): Promise<void> {
  const source = join(move.from, path);
  const isSession = path.startsWith(join('chats', '/')) && /\.jsonl?$/.test(path);
  if (isSession && isEmptySession(source)) rmSync(source);
  else if (move.to !== undefined) {
    const target = join(move.to, path);
    mkdirSync(dirname(target), { recursive: true });
    await (isSession ? moveSession(source, target, move.replacements) : moveOther(source, target));
  }
}

/** True for a session that was created, but never got a prompt. */
function isEmptySession(file: string): boolean {
  const summary = readSessionSummary(file);
  if (summary === undefined || summary.bytes > MOST_EMPTY_BYTES) return false;
  return !summary.isResumable && summary.firstPrompt === undefined;
}

async function moveSession(
  source: string,
  target: string,
  replacements: PathReplacements = new Map(),
): Promise<void> {
  const stats = statSync(source);
  if (stats.size > MOST_MAPPED_BYTES) return moveOther(source, target);
  const content = mapPaths(readFileSync(source), replacements);
  await writeAtomically(chooseTarget(content, source, target), content, 0o600, stats);
  // Remove the source only if no line was added to it since: the added line would be lost.
  if (statSync(source).size === stats.size) rmSync(source);
}

/**
 * Chooses the file for a session. A step that resumed the session has added lines to a copy: the copy replaces the
 * file, unless another program has added lines to the file itself. Both files then stay, and the newer one counts.
 */
function chooseTarget(content: Buffer, source: string, target: string): string {
  for (let number = 1; number < MOST_VARIANTS; number++) {
    const suffix = number === 1 ? '' : `-${number}`;
    const file = join(dirname(target), basename(target).replace(/(?=\.jsonl?$)/, suffix));
    if (lstatIfThere(file) === undefined) return file;
    const there = readFileSync(file);
    const isExtended = content.subarray(0, there.length).equals(there);
    if (isExtended && readSessionId(file) === readSessionId(source)) return file;
  }
  throw new Error(`There are too many files like ${target}`);
}

/** Moves a file, unless a file with another content is there. */
async function moveOther(source: string, target: string): Promise<void> {
  if (lstatIfThere(target) === undefined) placeFile(source, target);
  else if (!isSameContent(source, target)) return;
  rmSync(source);
}

function placeFile(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch (error) {
    // The folder is on another file system, or the file system has no links.
    if (hasErrno(error, 'EEXIST', 'ENOENT')) throw error;
    copyFileSync(source, target);
  }
}

function isSameContent(source: string, target: string): boolean {
  const { size } = statSync(source);
  const other = lstatIfThere(target);
  if (!other?.isFile() || other.size !== size || size > MOST_MAPPED_BYTES) return false;
  return readFileSync(source).equals(readFileSync(target));
}

function removeEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return lstatIfThere(folder) === undefined;
  }
}
