import { join } from 'node:path';
import { z } from 'zod';
import { readIfThere } from '../../base/fs/read-if-there.js';
import { writeWithoutSync } from '../../base/fs/write-atomically.js';
import type { BlobStore } from '../store/blob-store.js';
import { packTtl, touchPack } from './pack-blobs.js';

const FILE = 'bases.json';
const MOST_BASES = 4;
/** A base that was checked so lately is only asked for by one call. */
const CHECKED_FOR_MS = 10 * 60 * 1000;
/** Packs up to this size are checked every time: they have few chunks. */
const SMALL_BYTES = 8 * 1024 * 1024;

const schema = z.array(
  z.object({
    commit: z.string(),
    tree: z.string(),
    bytes: z.number(),
    /** Blob that lists the chunks of the pack; absent for a base on a git remote. */
    list: z.string().optional(),
    remote: z.string().optional(),
    checkedAt: z.number(),
    /** Time to live that the blobs were given then. */
    ttlMs: z.number().optional(),
  }),
);

/** Base that this caller has uploaded to some store. */
export type KnownBase = Readonly<z.infer<typeof schema>[number]>;

/** Reads the bases of a repository, the last one first. */
export function readBases(folder: string): readonly KnownBase[] {
  try {
    return schema.parse(JSON.parse(readIfThere(join(folder, FILE)) ?? '[]'));
  } catch {
    return [];
  }
}

/** Remembers a base as the last one. Another process may do the same: one of both bases is then uploaded again. */
export async function rememberBase(folder: string, base: KnownBase): Promise<void> {
  const others = readBases(folder).filter(({ commit, remote, list }) => {
    return commit !== base.commit || remote !== base.remote || list !== base.list;
  });
  const text = JSON.stringify([base, ...others].slice(0, MOST_BASES));
  await writeWithoutSync(join(folder, FILE), text);
}

/** Finds the last base that the store still has, and prolongs its time there. */
export async function findStoredBase(
  folder: string,
  blobs: BlobStore,
  lifeMs?: number,
): Promise<KnownBase | undefined> {
  const wantedMs = packTtl(lifeMs);
  for (const base of readBases(folder)) {
    const { list, bytes, checkedAt, ttlMs = packTtl() } = base;
    if (list === undefined) continue;
    const age = Date.now() - checkedAt;
    const isFresh = age >= 0 && age < CHECKED_FOR_MS && ttlMs >= wantedMs;
    if (bytes > SMALL_BYTES && isFresh) {
      if (await blobs.has(`pack/${list}`)) return base;
    } else if (await touchPack(blobs, { bytes, list }, lifeMs)) {
      await rememberBase(folder, { ...base, checkedAt: Date.now(), ttlMs: wantedMs });
      return base;
    }
  }
  return undefined;
}
