import { createHash } from 'node:crypto';
import { readlinkSync, type Stats } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { openRegularFile, READ_NO_LINK, readRegularFileSync } from './regular-file.js';
import { lstatIfThere } from './stats.js';

/** Size up to which a file is read at once. Larger files are hashed as a stream and get no diff. */
export const WHOLE_FILE_BYTES = 8 * 1024 * 1024;

/** Size, hash and content of a file at one moment. */
export interface FileState {
  readonly bytes: number;
  readonly sha256: string;
  /** Absent for a large file and for a link. */
  readonly content?: Buffer | undefined;
}

/** Bytes of a large file that are read at once. Hashing them takes about two milliseconds. */
const PIECE_BYTES = 1024 * 1024;

/**
 * Reads the present state of a file. The content of a link is its target path. Undefined if there is no file, or if the
 * file cannot be read. Throws the reason of the signal if that is aborted while a large file is read.
 */
export async function readFileState(
  path: string,
  signal?: AbortSignal,
): Promise<FileState | undefined> {
  const stats = lstatIfThere(path);
  if (stats === undefined) return undefined;
  try {
    if (stats.isSymbolicLink()) return linkState(readlinkSync(path));
    if (!stats.isFile()) return undefined;
    if (stats.size > WHOLE_FILE_BYTES) return await hashFile(path, signal);
    return fileStateOf(readRegularFileSync(path, WHOLE_FILE_BYTES, READ_NO_LINK));
  } catch {
    signal?.throwIfAborted();
    // The file was removed or replaced meanwhile, or is not readable.
    return undefined;
  }
}

export function fileStateOf(content: Buffer): FileState {
  return { bytes: content.length, sha256: sha256(content), content };
}

function linkState(target: string): FileState {
  return { bytes: Buffer.byteLength(target), sha256: sha256(target) };
}

export function sha256(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Hashes the bytes that the file has now. A program that goes on writing to the file cannot prolong the hashing. */
async function hashFile(path: string, signal: AbortSignal | undefined): Promise<FileState> {
  signal?.throwIfAborted();
  const file = await openRegularFile(path, READ_NO_LINK);
  try {
    const hash = createHash('sha256');
    const { size } = await file.stat();
    const options = { end: Math.max(0, size - 1), highWaterMark: PIECE_BYTES, autoClose: false };
    const content = size === 0 ? [] : file.createReadStream(options);
    await pipeline(content, hash, signal === undefined ? {} : { signal });
    return { bytes: size, sha256: hash.digest('hex') };
  } finally {
    await file.close();
  }
}

/** True if the file system shows no change. `ctime` is compared too, because no program can set it back. */
export function hasSameStats(a: Stats, b: Stats): boolean {
  return a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs;
}
