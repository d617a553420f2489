import { constants, existsSync, type Stats } from 'node:fs';
import { access, type FileHandle, lstat, mkdir, open, readlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errnoOf, hasErrno } from '../../base/errors/errno.js';
import { messageOf } from '../../base/errors/message-of.js';
import { realpathOf } from '../../base/fs/paths.js';
import { openRegularFile, READ_NO_LINK } from '../../base/fs/regular-file.js';
import { writeAtomically } from '../../base/fs/write-atomically.js';

/** Size of a text that an agent can get in one message. */
const LARGEST_READ_BYTES = 64 * 1024 * 1024;
const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
/** Linux: a path below this folder starts at an open folder, whatever the names above it mean by now. */
const OPEN_FILES = '/proc/self/fd';
const HAS_OPEN_FILES = existsSync(OPEN_FILES);

/**
 * Reads a text file by its real path. Throws for anything but a regular file, for a file that is too large, and if a part
 * of the path was replaced by a link since the path was resolved.
 */
export async function readWorkspaceFile(realPath: string): Promise<string> {
  return inFolder(openFolder(dirname(realPath)), async (folder) => {
    const file = await openRegularFile(inside(folder, realPath), READ_NO_LINK);
    try {
      const { size } = await file.stat();
      if (size > LARGEST_READ_BYTES) {
        throw new Error(`${realPath} has ${size} bytes; the limit is ${LARGEST_READ_BYTES}`);
      }
      return await file.readFile('utf8');
    } finally {
      await file.close();
    }
  }).catch((error: unknown) => {
    throw describeProblem('read', realPath, error);
  });
}

/**
 * Writes a text file by its real path, all of it or nothing. Mode and owner stay. Throws for a path that leads to anything
 * but a regular file, and if a part of the path was replaced by a link since the path was resolved.
 */
export async function writeWorkspaceFile(realPath: string, content: string): Promise<void> {
  await inFolder(openOrMakeFolder(dirname(realPath)), async (folder) => {
    const path = inside(folder, realPath);
    const old = await lstatIfPresent(path);
    if (old !== undefined && !old.isFile()) throw new Error(`${realPath} is not a regular file`);
    // The new file would replace a file that the user has protected from writing.
    if (old !== undefined) await access(path, constants.W_OK);
    await writeAtomically(path, content, 0o666, old);
  }).catch((error: unknown) => {
    throw describeProblem('write', realPath, error);
  });
}

interface OpenFolder {
  readonly handle: FileHandle;
  readonly path: string;
}

async function inFolder<T>(
  opening: Promise<OpenFolder>,
  work: (folder: OpenFolder) => Promise<T>,
): Promise<T> {
  const folder = await opening;
  try {
    return await work(folder);
  } finally {
    await folder.handle.close();
  }
}

/** Opens a folder by its real path. Throws if the path now leads through a link. */
async function openFolder(path: string): Promise<OpenFolder> {
  const handle = await open(path, FOLDER);
  const opened = HAS_OPEN_FILES ? await readlink(`${OPEN_FILES}/${handle.fd}`) : realpathOf(path);
  if (opened === path) return { handle, path };
  await handle.close();
  throw new Error(`${path} was replaced by a link`);
}

/** Opens a folder as `openFolder` does, and creates it if it is missing. */
async function openOrMakeFolder(path: string): Promise<OpenFolder> {
  if (existsSync(path)) return openFolder(path);
  return inFolder(openOrMakeFolder(dirname(path)), async (parent) => {
    await mkdir(inside(parent, path)).catch((error: unknown) => {
      if (!hasErrno(error, 'EEXIST')) throw error;
    });
    return { handle: await open(inside(parent, path), FOLDER), path };
  });
}

/** Returns a path to an entry of an open folder. */
function inside({ handle, path }: OpenFolder, entry: string): string {
  return join(HAS_OPEN_FILES ? `${OPEN_FILES}/${handle.fd}` : path, basename(entry));
}

async function lstatIfPresent(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (hasErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Names the path of the workspace: the error of the system names the open folder. */
function describeProblem(verb: string, realPath: string, error: unknown): Error {
  const reason = messageOf(error).replace(/, \w+(?: '[^']*')?(?: -> '[^']*')?$/, '');
  const described = new Error(`Cannot ${verb} ${realPath}: ${reason}`, { cause: error });
  return Object.assign(described, { code: errnoOf(error) });
}
