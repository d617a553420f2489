import { rm } from 'node:fs/promises';
import { describeProcess, isKnownDead } from '../../base/process/process-identity.js';
import { sleep, sleepUnless } from '../../base/process/timing.js';
import {
  createLease,
  emptyLease,
  type FoundLease,
  LARGEST_TOKEN,
  type LeaseContent,
  leasePath,
  listTokens,
  readLease,
  renewLease,
} from './lease-file.js';
import { leaseInUse, leaseLost, leaseWait, leaseWaitCancelled } from './lease-messages.js';
import type { Seal } from './seal.js';

/** Times of a lease in milliseconds. */
export interface LeaseTiming {
  /** Time between two renewals. */
  readonly beatMs: number;
  /** Time without a renewal after which another batch takes the lease over. */
  readonly leaseMs: number;
  /** Time between two looks at the lease of another batch. */
  readonly pollMs: number;
}

export const LEASE_TIMING: LeaseTiming = { beatMs: 2_000, leaseMs: 15_000, pollMs: 200 };

export interface LeaseRequest {
  /** Existing folder that the lease files lie in. */
  readonly folder: string;
  readonly seal: Seal;
  /** File or folder that the lease protects, for messages. */
  readonly subject: string;
  readonly leaseId: string;
  /** Id of a run whose lease on the same batch was found to have expired. */
  readonly expiredId?: string | undefined;
  readonly onWait: (message: string) => void;
  readonly onLost: (error: Error) => void;
  readonly signal?: AbortSignal | undefined;
  readonly timing?: LeaseTiming | undefined;
}

/** Ids of the runs of this process that own a lease. */
const held = new Set<string>();

/** True if a run of this process owns the lease with this id. */
export function isHeldHere(leaseId: string): boolean {
  return held.has(leaseId);
}

/**
 * The right of one run to use a ledger or an output folder. Each owner creates the file of the next fencing token, and
 * the owner of the highest token is the owner of the lease. Pids are only a short cut: where they prove nothing (another
 * container or machine), a batch watches the lease of the other one for the time of a lease. All times are measured by
 * the monotonic clock of the watching process, so that wall clocks of two machines are never compared.
 */
export class Lease {
  readonly token: number;
  /** Id of the run that had not renewed its lease; undefined if this run took nothing over. */
  readonly expiredId: string | undefined;
  readonly #request: LeaseRequest;
  readonly #timer: NodeJS.Timeout;
  #content: LeaseContent;
  #renewing: Promise<void> = Promise.resolve();

  static async acquire(request: LeaseRequest): Promise<Lease> {
    const { leaseId } = request;
    const isHeld = held.has(leaseId);
    // The id is held before the file is there: another run of this process must not take the new file for a dead one.
    held.add(leaseId);
    try {
      return await Lease.#acquire(request);
    } catch (error) {
      if (!isHeld) held.delete(leaseId);
      throw error;
    }
  }

  static async #acquire(request: LeaseRequest): Promise<Lease> {
    const { folder, seal, leaseId } = request;
    const content = {
      leaseId,
      owner: describeProcess(),
      startedAt: new Date().toISOString(),
      beat: 0,
    };
    for (;;) {
      const { last, expiredId } = await waitUntilFree(request);
      if (last >= LARGEST_TOKEN) {
        await removeLease(folder, last);
        continue;
      }
      const token = last + 1;
      if (!(await createLease(folder, token, content, seal))) continue;
      const tokens = await listTokens(folder);
      // A batch that came later may already have finished and removed the file of this token.
      if (tokens.some((other) => other > token)) {
        await removeLease(folder, token);
        continue;
      }
      for (const other of tokens) if (other < token) await removeLease(folder, other);
      return new Lease(token, request, content, expiredId);
    }
  }

  private constructor(
    token: number,
    request: LeaseRequest,
    content: LeaseContent,
    expiredId: string | undefined,
  ) {
    this.token = token;
    this.expiredId = expiredId;
    this.#request = request;
    this.#content = content;
    const { beatMs } = request.timing ?? LEASE_TIMING;
    this.#timer = setInterval(() => this.#beat(), beatMs);
    this.#timer.unref();
  }

  /** Throws if another run has taken the lease over: its token is higher. */
  async check(): Promise<void> {
    const { folder, subject } = this.#request;
    const tokens = await listTokens(folder);
    if (tokens.some((other) => other > this.token)) throw leaseLost(subject);
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewing;
    await emptyLease(this.#request.folder, this.token);
    held.delete(this.#content.leaseId);
  }

  #beat(): void {
    const { folder, seal, onLost } = this.#request;
    const renew = async (): Promise<void> => {
      this.#content = { ...this.#content, beat: this.#content.beat + 1 };
      // A failed renewal, for example on a full disk, is tried again at the next beat.
      await renewLease(folder, this.token, this.#content, seal).catch(() => {});
    };
    this.#renewing = this.#renewing
      .then(() => this.check())
      .then(renew, (error: unknown) => {
        clearInterval(this.#timer);
        if (error instanceof Error) onLost(error);
      });
  }
}

interface FreeLease {
  /** Last token that was used; 0 if there was none. */
  readonly last: number;
  readonly expiredId: string | undefined;
}

/** Waits until no living batch owns the lease. Throws if one does. */
async function waitUntilFree(request: LeaseRequest): Promise<FreeLease> {
  const { folder, seal, subject, onWait, signal } = request;
  const { beatMs, leaseMs, pollMs } = request.timing ?? LEASE_TIMING;
  let watched: FoundLease | undefined;
  let sinceMs = 0;
  let isTold = false;
  for (;;) {
    const last = (await listTokens(folder)).at(-1);
    if (last === undefined) return { last: 0, expiredId: undefined };
    const found = await readLease(folder, last, seal);
    if (found === undefined) continue;
    if (isFree(found, request)) return { last, expiredId: undefined };
    const { content } = found;
    if (content !== undefined && held.has(content.leaseId)) throw leaseInUse(subject, content);
    const nowMs = performance.now();
    if (watched === undefined) {
      watched = found;
      sinceMs = nowMs;
    } else if (watched.token !== found.token || watched.text !== found.text) {
      throw leaseInUse(subject, content);
    } else if (!isTold && nowMs - sinceMs >= beatMs * 1.5) {
      isTold = true;
      onWait(leaseWait(subject, content, leaseMs));
    } else if (nowMs - sinceMs >= leaseMs) {
      return { last, expiredId: content?.leaseId };
    }
    if (signal?.aborted) throw leaseWaitCancelled(subject);
    await (signal === undefined ? sleep(pollMs) : sleepUnless(pollMs, signal));
  }
}

function isFree({ text, content }: FoundLease, { expiredId }: LeaseRequest): boolean {
  if (text === '') return true;
  if (content === undefined) return false;
  const { leaseId, owner } = content;
  if (leaseId === expiredId) return true;
  if (owner.id === describeProcess().id) return !held.has(leaseId);
  return isKnownDead(owner);
}

/** Removes a lease file, also if a folder has its name. */
async function removeLease(folder: string, token: number): Promise<void> {
  await rm(leasePath(folder, token), { recursive: true, force: true });
}
