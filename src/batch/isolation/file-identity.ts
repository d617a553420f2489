import { type BigIntStats, closeSync, lstatSync, openSync, readlinkSync, readSync } from 'node:fs';
import { hasErrno } from '../../base/errors/errno.js';

const BLOCK_BYTES = 1024 * 1024;

/** Identity of a file on the disk, as JSON. A replaced or rewritten file has another identity. */
export interface FileIdentity {
  readonly inode: string;
  readonly bytes: string;
  readonly modifiedNs: string;
}

/** Reads the stats of a path without following links. Returns undefined if the path does not exist. */
export function readStats(path: Buffer | string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true });
  } catch (error) {
    if (hasErrno(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

export function isExecutable({ mode }: BigIntStats): boolean {
  return (mode & 0o100n) !== 0n;
}

export function toFileIdentity({ ino, size, mtimeNs }: BigIntStats): FileIdentity {
  return { inode: String(ino), bytes: String(size), modifiedNs: String(mtimeNs) };
}

export function isSameFileIdentity(
  a: FileIdentity | undefined,
  b: FileIdentity | undefined,
): boolean {
  return a?.inode === b?.inode && a?.bytes === b?.bytes && a?.modifiedNs === b?.modifiedNs;
}

/** True for two files with the same bytes and execute bit, or two links with the same target. */
export function hasSameContent(a: Buffer, b: Buffer): boolean {
  const [one, other] = [readStats(a), readStats(b)];
  if (one === undefined || other === undefined) return false;
  if (one.isSymbolicLink() && other.isSymbolicLink()) {
    return readlinkSync(a, 'buffer').equals(readlinkSync(b, 'buffer'));
  }
  if (!one.isFile() || !other.isFile() || isExecutable(one) !== isExecutable(other)) return false;
  return one.size === other.size && haveSameBytes(a, b);
}

function haveSameBytes(a: Buffer, b: Buffer): boolean {
  const files: number[] = [];
  const [blockA, blockB] = [Buffer.alloc(BLOCK_BYTES), Buffer.alloc(BLOCK_BYTES)];
  try {
    files.push(openSync(a, 'r'), openSync(b, 'r'));
    const [fileA = -1, fileB = -1] = files;
    for (;;) {
      const bytesA = readSync(fileA, blockA);
      const bytesB = readSync(fileB, blockB);
      if (!blockA.subarray(0, bytesA).equals(blockB.subarray(0, bytesB))) return false;
      if (bytesA === 0) return true;
    }
  } finally {
    for (const file of files) closeSync(file);
  }
}
