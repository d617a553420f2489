import { ProviderError } from '../../base/errors/provider-error.js';
import { sha256 } from '../../base/fs/fingerprint.js';
import type { BlobStore } from '../store/blob-store.js';
import { checkShipLimit, type ResolvedShipLimits } from './check-limit.js';
import type { PackReference } from './shipped-workspace.js';

const CHUNK_BYTES = 1024 * 1024;
/** Larger packs become blobs. A small one in the job saves two round trips. */
const MOST_INLINE_BYTES = 32 * 1024;
const KEY_PREFIX = 'pack/';
const NAME_CHARACTERS = 64;
const AT_ONCE = 4;

/** Least time that blobs of a workspace stay in the store after their last use. */
const LEAST_TTL_MS = 24 * 60 * 60 * 1000;

export interface PackStorage {
  /** True for a base, which other steps use, too: its pack gets a name even if it is small. */
  readonly isShared?: boolean | undefined;
  /** Time that the job and its result may be in the store. */
  readonly lifeMs?: number | undefined;
}

/** Largest pack that is read, and what the error about a larger one names. */
export interface PackLimit {
  readonly limits: ResolvedShipLimits;
  readonly name: 'maxUploadBytes' | 'maxChangesBytes';
  readonly subject: string;
}

/** Returns the time to live of a pack of a job that may be in the store for the given time. */
export function packTtl(lifeMs = 0): number {
  return Math.max(LEAST_TTL_MS, lifeMs);
}

/** Stores a pack: a small one in the reference itself, a large one in chunks that are named by their SHA-256. */
export async function storePack(
  blobs: BlobStore,
  bytes: Buffer,
  { isShared = false, lifeMs }: PackStorage = {},
): Promise<PackReference> {
  if (!isShared && bytes.length <= MOST_INLINE_BYTES) {
    return { bytes: bytes.length, inline: bytes.toString('base64') };
  }
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    chunks.push(bytes.subarray(at, at + CHUNK_BYTES));
  }
  const names = await mapSome(chunks, (chunk) => putBlob(blobs, chunk, lifeMs));
  const list = await putBlob(blobs, Buffer.from(names.join('')), lifeMs);
  return { bytes: bytes.length, list };
}

/** Prolongs the time of a stored pack. Returns false if the store has lost a part of it. */
export async function touchPack(
  blobs: BlobStore,
  { list }: PackReference,
  lifeMs?: number,
): Promise<boolean> {
  if (list === undefined) return true;
  const names = await readList(blobs, list).catch(() => undefined);
  if (names === undefined) return false;
  const found = await mapSome([list, ...names], async (name) => {
    const isThere = await blobs.has(KEY_PREFIX + name);
    if (isThere) await blobs.touch(KEY_PREFIX + name, packTtl(lifeMs));
    return isThere;
  });
  return found.every(Boolean);
}

/** Reads a pack and compares every blob with its name. Throws if the pack is larger than its limit. */
export async function readPack(
  blobs: BlobStore,
  reference: PackReference,
  { limits, name: limit, subject }: PackLimit,
): Promise<Buffer> {
  const { bytes, inline, list } = reference;
  checkShipLimit(limits, limit, bytes, subject);
  const pack =
    list === undefined
      ? Buffer.from(inline ?? '', 'base64')
      : Buffer.concat(
          await mapSome(await readList(blobs, list, bytes), (name) => getBlob(blobs, name)),
        );
  if (pack.length !== bytes) throw damaged('has another size than the job says');
  return pack;
}

async function readList(blobs: BlobStore, list: string, bytes?: number): Promise<string[]> {
  const text = (await getBlob(blobs, list)).toString('latin1');
  const names = text.match(/[0-9a-f]{64}/g) ?? [];
  if (names.length * NAME_CHARACTERS !== text.length) throw damaged('has a list that is no list');
  if (bytes !== undefined && names.length !== Math.ceil(bytes / CHUNK_BYTES)) {
    throw damaged('has a list of another length than the job says');
  }
  return names;
}

async function putBlob(blobs: BlobStore, bytes: Buffer, lifeMs?: number): Promise<string> {
  const name = sha256(bytes);
  // The same bytes may belong to another job, which stays for longer.
  await blobs.put(KEY_PREFIX + name, bytes, packTtl(lifeMs), { keepsLonger: true });
  return name;
}

async function getBlob(blobs: BlobStore, name: string): Promise<Buffer> {
  const bytes = await blobs.get(KEY_PREFIX + name);
  if (bytes === undefined) {
    throw new ProviderError({
      code: 'INCOMPLETE',
      message: `The store has lost blob ${name} of a workspace`,
      hint: 'Run the step again: the workspace is stored anew. Blobs are kept for 24 hours after their last use, or for `waitTimeout` and `retention.age` together.',
    });
  }
  if (sha256(bytes) !== name) throw damaged(`has a blob that is not ${name}`);
  return bytes;
}

function damaged(what: string): ProviderError {
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: `A pack of the workspace ${what}`,
    hint: 'The store is damaged, or another program has written to it. Run the step again.',
  });
}

/** Maps items with a few calls at a time, and keeps their order. */
async function mapSome<T, R>(items: readonly T[], map: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(map))));
  }
  return results;
}
