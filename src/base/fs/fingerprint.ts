import { createHash } from 'node:crypto';
import { createReadStream, readFileSync, readlinkSync, type Stats } from 'node:fs';
import { pipeline } from 'node:stream/promises';
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

/**
 * Reads the present state of a file. The content of a link is its target path. Undefined if there is no file, if the
 * file cannot be read, or if the signal is aborted while a large file is read: callers check the signal themselves.
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
    if (stats.size <= WHOLE_FILE_BYTES) return fileStateOf(readFileSync(path));
    return { bytes: stats.size, sha256: await hashFile(path, signal) };
  } catch {
    // The file was removed meanwhile, is not readable, or the signal was aborted.
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

async function hashFile(path: string, signal: AbortSignal | undefined): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash, signal === undefined ? {} : { signal });
  return hash.digest('hex');
}

/** True if the file system shows no change. `ctime` is compared too, because no program can set it back. */
export function hasSameStats(a: Stats, b: Stats): boolean {
  return a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs;
}
