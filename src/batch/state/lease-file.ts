import { link, readdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { hasErrno } from '../../base/errors/errno.js';
import { readRegularFile } from '../../base/fs/regular-file.js';
import type { ProcessFacts } from '../../base/process/process-identity.js';
import { ownerSchema } from './owner-schema.js';
import type { Seal } from './seal.js';

const NAME = /^lease-([1-9]\d{0,12})\.json$/;
const PRIVATE = 0o600;

/** Largest fencing token. No batch is started that often: a lease file with a larger one is not of this package. */
export const LARGEST_TOKEN = 10 ** 12;

const lease = z.object({
  /** Id of the run that owns the lease. */
  leaseId: z.string(),
  owner: ownerSchema,
  startedAt: z.string(),
  /** Counts the renewals. */
  beat: z.number(),
});

export interface LeaseContent {
  readonly leaseId: string;
  readonly owner: ProcessFacts;
  readonly startedAt: string;
  readonly beat: number;
}

/** A lease file as it lies on the disk. An empty text means that its owner has released the lease. */
export interface FoundLease {
  readonly token: number;
  readonly text: string;
  /** Undefined if the content is damaged or was not signed with the key of this batch. */
  readonly content: LeaseContent | undefined;
}

export function leasePath(folder: string, token: number): string {
  return join(folder, `lease-${token}.json`);
}

/** Lists the fencing tokens of all lease files, lowest first. Empty if the folder does not exist. */
export async function listTokens(folder: string): Promise<number[]> {
  try {
    const names = await readdir(folder);
    const tokens = names.flatMap((name) => NAME.exec(name)?.[1] ?? []);
    return tokens.map(Number).sort((a, b) => a - b);
  } catch (error) {
    if (hasErrno(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}

/** Reads a lease file. Undefined if the file does not exist. */
export async function readLease(
  folder: string,
  token: number,
  seal: Seal,
): Promise<FoundLease | undefined> {
  const file = leasePath(folder, token);
  try {
    const text = (await readRegularFile(file)).toString('utf8');
    return { token, text, content: parseLease(text, file, seal) };
  } catch (error) {
    if (hasErrno(error, 'ENOENT')) return undefined;
    // A folder, a link to nowhere or a FIFO with the name of a lease: it has an owner that cannot be known.
    return { token, text: `unreadable: ${String(error)}`, content: undefined };
  }
}

function parseLease(text: string, file: string, seal: Seal): LeaseContent | undefined {
  const unsealed = seal.unseal(basename(file), text);
  if (unsealed.kind !== 'valid') return undefined;
  try {
    return lease.safeParse(JSON.parse(unsealed.content)).data;
  } catch {
    return undefined;
  }
}

/** Creates the lease file of a token. Returns false if the file exists: another batch was faster. */
export async function createLease(
  folder: string,
  token: number,
  content: LeaseContent,
  seal: Seal,
): Promise<boolean> {
  const file = leasePath(folder, token);
  const unfinished = `${file}.${content.leaseId}.new`;
  await writeFile(unfinished, sealLease(file, content, seal), { mode: PRIVATE });
  try {
    // `link` creates the file with its content in one operation: no process can read a half-written lease.
    await link(unfinished, file);
    return true;
  } catch (error) {
    if (hasErrno(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** Replaces the content of an own lease file, so that other batches see that its owner is alive. */
export async function renewLease(
  folder: string,
  token: number,
  content: LeaseContent,
  seal: Seal,
): Promise<void> {
  const file = leasePath(folder, token);
  const unfinished = `${file}.${content.leaseId}.new`;
  try {
    await writeFile(unfinished, sealLease(file, content, seal), { mode: PRIVATE });
    await rename(unfinished, file);
  } finally {
    await rm(unfinished, { force: true }).catch(() => {});
  }
}

/** Empties the lease file: a full disk cannot prevent that, and the next batch knows which token was the last. */
export async function emptyLease(folder: string, token: number): Promise<void> {
  await truncate(leasePath(folder, token), 0).catch(() => {});
}

function sealLease(file: string, content: LeaseContent, seal: Seal): string {
  return seal.seal(basename(file), JSON.stringify(content));
}
