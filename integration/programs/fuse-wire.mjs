/** Structures of the FUSE protocol, version 7.31, as far as `fuse-folder.mjs` needs them. */
export const ENOENT = 2;
export const ENOSYS = 38;
export const IN_HEADER_BYTES = 40;

/**
 * @param {import('node:fs').BigIntStats} stats
 * @returns {Buffer}
 */
function attributes(stats) {
  const body = Buffer.alloc(88);
  const numbers = [stats.ino, stats.size, stats.blocks];
  const seconds = [stats.atimeNs, stats.mtimeNs, stats.ctimeNs];
  for (const [index, value] of [...numbers, ...seconds.map((ns) => ns / 1_000_000_000n)].entries())
    body.writeBigUInt64LE(value, index * 8);
  const rest = [
    ...seconds.map((ns) => Number(ns % 1_000_000_000n)),
    ...[stats.mode, stats.nlink, stats.uid, stats.gid, stats.rdev].map(Number),
    4096,
  ];
  for (const [index, value] of rest.entries()) body.writeUInt32LE(value, 48 + index * 4);
  return body;
}

/** @param {import('node:fs').BigIntStats} stats @param {number} validS seconds until the kernel asks again */
export function attributesOut(stats, validS) {
  const body = Buffer.alloc(16);
  body.writeBigUInt64LE(BigInt(validS), 0);
  return Buffer.concat([body, attributes(stats)]);
}

/** @param {number} node @param {import('node:fs').BigIntStats} stats @param {number} validS */
export function entryOut(node, stats, validS) {
  const body = Buffer.alloc(40);
  body.writeBigUInt64LE(BigInt(node), 0);
  body.writeBigUInt64LE(BigInt(validS), 16);
  body.writeBigUInt64LE(BigInt(validS), 24);
  return Buffer.concat([body, attributes(stats)]);
}

/** @param {number} handle */
export function openOut(handle) {
  const body = Buffer.alloc(16);
  body.writeBigUInt64LE(BigInt(handle), 0);
  return body;
}

/** @param {number} bytes */
export function writeOut(bytes) {
  const body = Buffer.alloc(8);
  body.writeUInt32LE(bytes, 0);
  return body;
}

export function initOut() {
  const body = Buffer.alloc(64);
  const BIG_WRITES = 1 << 5;
  body.writeUInt32LE(7, 0);
  body.writeUInt32LE(31, 4);
  body.writeUInt32LE(BIG_WRITES, 12);
  body.writeUInt32LE(131_072, 20);
  body.writeUInt32LE(1, 24);
  return body;
}

export function statfsOut() {
  const body = Buffer.alloc(80);
  for (const index of [0, 1, 2, 3, 4]) body.writeBigUInt64LE(1_000_000n, index * 8);
  body.writeUInt32LE(4096, 40);
  body.writeUInt32LE(255, 44);
  body.writeUInt32LE(4096, 48);
  return body;
}

/**
 * Entries of a folder from an index on, as many as fit.
 * @param {readonly { name: string, type: number }[]} entries
 * @param {number} first
 * @param {number} size
 */
export function entriesOut(entries, first, size) {
  /** @type {Buffer[]} */
  const pieces = [];
  let length = 0;
  for (const [index, { name, type }] of entries.entries()) {
    if (index < first) continue;
    const text = Buffer.from(name);
    const piece = Buffer.alloc(24 + Math.ceil(text.length / 8) * 8);
    piece.writeBigUInt64LE(BigInt(index + 2), 0);
    piece.writeBigUInt64LE(BigInt(index + 1), 8);
    piece.writeUInt32LE(text.length, 16);
    piece.writeUInt32LE(type, 20);
    text.copy(piece, 24);
    if (length + piece.length > size) break;
    length += piece.length;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Texts that end with a NUL. @param {Buffer} bytes */
export function readTexts(bytes) {
  return bytes.toString('utf8').split('\0');
}
