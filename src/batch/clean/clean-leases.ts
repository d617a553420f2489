import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { findMarkerFolder } from '../state/batch-marker.js';
import { LEASE_TIMING, Lease } from '../state/lease.js';
import { leasePath } from '../state/lease-file.js';
import { leaseInUse } from '../state/lease-messages.js';
import { readLiveness } from '../state/read-liveness.js';
import type { Seal } from '../state/seal.js';

export interface CleanLeaseRequest {
  readonly out: string;
  /** Undefined if there is no state folder. */
  readonly stateDir: string | undefined;
  readonly seal: Seal;
  /** False refuses at once if only a renewal could tell whether the owner of a lease is alive. */
  readonly wait: boolean;
  readonly onWait: (message: string) => void;
}

/** Leases of a clean-up. While they are held, no batch starts with these folders. */
export interface CleanLeases {
  release(): Promise<void>;
  /** Removes the lease files of the output folder, after the release. */
  removeFiles(): Promise<void>;
}

/** Throws INVALID_INPUT with the owner if a batch runs, or may run. Takes no lease. */
export async function assertNoBatch(request: CleanLeaseRequest): Promise<void> {
  const { out, seal, wait } = request;
  const timing = wait ? LEASE_TIMING : { ...LEASE_TIMING, beatMs: 0 };
  for (const folder of foldersOf(request)) {
    const { kind, owner } = await readLiveness(folder, seal, timing);
    if (kind === 'alive' || (kind === 'silent' && !wait)) throw leaseInUse(out, owner);
  }
}

/**
 * Takes the leases of a batch, as a run does: throws if a batch runs there, and waits for the lease of an owner that
 * cannot be known to expire.
 */
export async function takeCleanLeases(request: CleanLeaseRequest): Promise<CleanLeases> {
  const { out, seal, onWait } = request;
  await assertNoBatch(request);
  const held: { readonly lease: Lease; readonly folder: string }[] = [];
  const release = async (): Promise<void> => {
    for (const { lease } of held) await lease.release();
  };
  const leaseId = randomUUID();
  let expiredId: string | undefined;
  try {
    for (const folder of foldersOf(request)) {
      const common = { folder, seal, subject: out, leaseId, expiredId, onWait };
      const lease = await Lease.acquire({ ...common, onLost: () => {} });
      held.push({ lease, folder });
      expiredId = lease.expiredId;
    }
  } catch (error) {
    await release();
    throw error;
  }
  return {
    release,
    removeFiles: async () => {
      const marker = findMarkerFolder(out);
      const own = held.find(({ folder }) => folder === marker);
      if (own !== undefined) await rm(leasePath(own.folder, own.lease.token), { force: true });
    },
  };
}

function foldersOf({ out, stateDir }: CleanLeaseRequest): string[] {
  return [stateDir, findMarkerFolder(out)].filter((folder) => folder !== undefined);
}
