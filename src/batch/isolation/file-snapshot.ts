import { createHash } from 'node:crypto';
import { type BigIntStats, createReadStream, readFileSync, readlinkSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { readFileIdentity } from './file-identity.js';

const WHOLE_FILE_BYTES = 8n * 1024n * 1024n;
const LARGEST_TEXT_BYTES = 1024 * 1024;
/** As git tells a text from anything else. */
const LOOKED_AT_BYTES = 8000;

/** A file or link as it was when the step began. */
export interface FileSnapshot {
  readonly isLink: boolean;
  readonly isExecutable: boolean;
  readonly isIgnored: boolean;
  /** Of the original. */
  readonly originalStamp: string;
  /** Of the copy. */
  readonly copyStamp: string;
  /** Of the content; absent for ignored files, of which only the stamps are known. */
  readonly sha256?: string | undefined;
}

export interface Content {
  readonly sha256: string;
  /** Not too large to be merged line by line. */
  readonly isText: boolean;
}

/** Changes with every write; nobody can set the time of a change of state. */
export function stampOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}

export function isExecutable({ mode }: BigIntStats): boolean {
  return (mode & 0o100n) !== 0n;
}

/** Of a link, what it holds. */
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
  const isBinary = content.subarray(0, LOOKED_AT_BYTES).includes(0);
  return {
    sha256: hash.update(content).digest('hex'),
    isText: !isBinary && content.length <= LARGEST_TEXT_BYTES,
  };
}

/** Whether a file is still what it was; `stamp` is what it had then. */
export async function isUnchanged(
  path: Buffer,
  known: FileSnapshot,
  stamp: string,
): Promise<boolean> {
  const stats = readFileIdentity(path);
  if (stats === undefined) return false;
  if (stampOf(stats) === stamp) return true;
  const isLink = stats.isSymbolicLink();
  if (known.sha256 === undefined || isLink !== known.isLink) return false;
  if (!isLink && (!stats.isFile() || isExecutable(stats) !== known.isExecutable)) return false;
  return (await readContent(path, stats)).sha256 === known.sha256;
}
