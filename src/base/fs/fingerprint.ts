import { createHash } from 'node:crypto';
import { createReadStream, readFileSync, readlinkSync, type Stats } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { lstatIfThere } from './stats.js';

/** Larger files are hashed in pieces and get no diff. */
export const WHOLE_FILE_BYTES = 8 * 1024 * 1024;

/** A file at one moment. */
export interface FileState {
  readonly bytes: number;
  readonly sha256: string;
  /** Absent for a large file and for a link. */
  readonly content?: Buffer | undefined;
}

/**
 * What a file is now; undefined where there is none. A link counts as the path it holds. A signal breaks off
 * the reading of a large file; to tell that from a file that is gone is up to who gave it.
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
    // Gone since, or closed to us.
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

/** Unchanged as far as the file system can tell: nobody can set the time of a change of state. */
export function hasSameStats(a: Stats, b: Stats): boolean {
  return a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs;
}
