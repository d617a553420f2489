import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { hasErrno } from '../../base/errors/errno.js';
import type { Seal } from './seal.js';
import { sealOf } from './state-key.js';

const PRIVATE = 0o600;

/** Content of a sealed file. `damaged` includes a file that was signed with another key: neither is believed. */
export type SealedContent =
  | { readonly kind: 'valid'; readonly value: unknown }
  | { readonly kind: 'missing' | 'damaged' };

/** Writes a value as a sealed file, by a rename: a process that dies while it writes leaves the old file as it was. */
export function writeSealedFile(file: string, value: unknown, seal: Seal = sealOf(file)): void {
  const text = seal.seal(basename(file), JSON.stringify(value));
  const unfinished = `${file}.${randomBytes(6).toString('hex')}.new`;
  try {
    writeFileSync(unfinished, text, { mode: PRIVATE, flag: 'wx' });
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/** Reads a sealed file. The name of the file is part of its signature: a copy under another name is not valid. */
export function readSealedFile(file: string): SealedContent {
  try {
    const unsealed = sealOf(file).unseal(basename(file), readFileSync(file, 'utf8'));
    if (unsealed.kind !== 'valid') return { kind: 'damaged' };
    return { kind: 'valid', value: JSON.parse(unsealed.content) };
  } catch (error) {
    return { kind: hasErrno(error, 'ENOENT', 'ENOTDIR') ? 'missing' : 'damaged' };
  }
}
