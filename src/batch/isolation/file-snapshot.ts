import { createHash } from 'node:crypto';
import { type BigIntStats, createReadStream, readFileSync, readlinkSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { type BytePath, onDisk } from './byte-path.js';
import { readEntry } from './tree-entry.js';

const WHOLE_FILE_BYTES = 8n * 1024n * 1024n;
const LARGEST_TEXT_BYTES = 1024 * 1024;
/** Bytes at the beginning of a file that are searched for NUL, as git does, to tell binary files from text. */
const SNIFFED_BYTES = 8000;

/** State of a file or link when the step began. */
export interface FileSnapshot {
  readonly isLink: boolean;
  /** Permission bits; those of a link have no meaning. */
  readonly permissions: number;
  readonly isIgnored: boolean;
  /** Stamp of the original. */
  readonly originalStamp: string;
  /** Stamp of the copy. */
  readonly copyStamp: string;
  /** Hash of the content; absent for ignored files, which are compared by their stamps only. */
  readonly sha256?: string | undefined;
}

export interface Content {
  readonly sha256: string;
  /** True for a text that is small enough to be merged line by line. */
  readonly isText: boolean;
}

/** Returns a text that changes with every write: programs cannot set the ctime that it contains. */
export function stampOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}

export function permissionsOf({ mode }: BigIntStats): number {
  return Number(mode & 0o777n);
}

/** Hashes the content of a file, or the target of a link. */
export async function readContent(path: Buffer, stats: BigIntStats): Promise<Content> {
  const hash = createHash('sha256');
  if (stats.isSymbolicLink()) {
    return { sha256: hash.update(readlinkSync(path, 'buffer')).digest('hex'), isText: false };
  }
  if (stats.size > WHOLE_FILE_BYTES) {
    await pipeline(createReadStream(path), hash);
    return { sha256: hash.digest('hex'), isText: false };
  }
  const content = readFileSync(path);
  const isBinary = content.subarray(0, SNIFFED_BYTES).includes(0);
  return {
    sha256: hash.update(content).digest('hex'),
    isText: !isBinary && content.length <= LARGEST_TEXT_BYTES,
  };
}

/**
 * True if a file of a tree has the content of its snapshot. `stamp` is the stamp from that time: if it is the same, no
 * content is read.
 */
export async function hasKnownContent(
  root: string,
  path: BytePath,
  known: FileSnapshot,
  stamp: string,
): Promise<boolean> {
  const stats = readEntry(root, path);
  if (stats === undefined) return false;
  if (stampOf(stats) === stamp) return true;
  const isLink = stats.isSymbolicLink();
  if (known.sha256 === undefined || isLink !== known.isLink) return false;
  if (!isLink && !stats.isFile()) return false;
  return (await readContent(onDisk(root, path), stats)).sha256 === known.sha256;
}
