import { describeProcess, isKnownAlive, isKnownDead } from '../../base/process/process-identity.js';
import { sleep } from '../../base/process/timing.js';
import { isHeldHere, LEASE_TIMING, type LeaseTiming } from './lease.js';
import { type FoundLease, type LeaseContent, listTokens, readLease } from './lease-file.js';
import type { Seal } from './seal.js';

/**
 * What the lease says about its owner. `none`: no batch owns it. `alive`: the batch is at work. `dead`: the batch was
 * killed. `silent`: the owner is on another machine or in another container, or cannot be known, and does not renew.
 */
export interface Liveness {
  readonly kind: 'none' | 'alive' | 'dead' | 'silent';
  readonly owner?: LeaseContent | undefined;
}

/**
 * Reads whether a batch is at work, without taking or changing its lease. Answers at once if the owner is a process that
 * this machine knows. Otherwise the lease is watched until its owner renews it, for two and a half renewals at most.
 */
export async function readLiveness(
  folder: string,
  seal: Seal,
  timing: LeaseTiming = LEASE_TIMING,
): Promise<Liveness> {
  const first = await readLast(folder, seal);
  const known = judge(first);
  if (known !== undefined) return known;
  const endMs = performance.now() + timing.beatMs * 2.5;
  while (performance.now() < endMs) {
    await sleep(timing.pollMs);
    const now = await readLast(folder, seal);
    if (now?.text === first?.text && now?.token === first?.token) continue;
    return judge(now) ?? { kind: 'alive', owner: now?.content };
  }
  return { kind: 'silent', owner: first?.content };
}

async function readLast(folder: string, seal: Seal): Promise<FoundLease | undefined> {
  const last = (await listTokens(folder)).at(-1);
  return last === undefined ? undefined : readLease(folder, last, seal);
}

/** Returns undefined if only a renewal of the lease can tell. */
function judge(found: FoundLease | undefined): Liveness | undefined {
  if (found === undefined || found.text === '') return { kind: 'none' };
  const { content: owner } = found;
  if (owner === undefined) return undefined;
  if (owner.owner.id === describeProcess().id) {
    return { kind: isHeldHere(owner.leaseId) ? 'alive' : 'dead', owner };
  }
  if (isKnownDead(owner.owner)) return { kind: 'dead', owner };
  return isKnownAlive(owner.owner) ? { kind: 'alive', owner } : undefined;
}
