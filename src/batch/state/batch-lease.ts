import { randomUUID } from 'node:crypto';
import { reserveFolder } from '../../base/fs/reserved-folders.js';
import { openMarkerFolder, protectedBatchPaths } from './batch-marker.js';
import { Lease, type LeaseTiming } from './lease.js';
import type { Seal } from './seal.js';

export interface BatchLeaseRequest {
  readonly out: string;
  readonly stateDir: string;
  readonly ledgerFile: string;
  readonly seal: Seal;
  readonly onWait: (message: string) => void;
  readonly signal?: AbortSignal | undefined;
  readonly timing?: LeaseTiming | undefined;
}

/**
 * The leases of a running batch: on its state folder, because two containers may share the state and not the output
 * folder, and on its output folder, because two machines may share the output folder and not the state.
 */
export class BatchLease {
  /** Id of the run that owns the leases. */
  readonly leaseId: string;
  readonly #leases: readonly Lease[];
  readonly #lost: AbortController;
  readonly #reservations: readonly (() => void)[];

  static async acquire(request: BatchLeaseRequest): Promise<BatchLease> {
    const { out, stateDir, ledgerFile } = request;
    const lost = new AbortController();
    const leaseId = randomUUID();
    const common = {
      ...request,
      leaseId,
      onLost: (error: Error) => lost.abort(error),
    };
    const state = await Lease.acquire({ ...common, folder: stateDir, subject: ledgerFile });
    try {
      const folder = openMarkerFolder(out);
      const { expiredId } = state;
      const second = await Lease.acquire({ ...common, folder, subject: out, expiredId });
      return new BatchLease(leaseId, [state, second], lost, out);
    } catch (error) {
      await state.release();
      throw error;
    }
  }

  private constructor(
    leaseId: string,
    leases: readonly Lease[],
    lost: AbortController,
    out: string,
  ) {
    this.leaseId = leaseId;
    this.#leases = leases;
    this.#lost = lost;
    this.#reservations = protectedBatchPaths(out).map(reserveFolder);
  }

  /** Fencing token of the ledger: higher than that of every earlier run. */
  get token(): number {
    return this.#leases[0]?.token ?? 0;
  }

  /** Aborted with the error if another run has taken over the batch. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Throws if another run has taken over the batch. Called before every change of the ledger and of the workspace. */
  async check(): Promise<void> {
    for (const lease of this.#leases) await lease.check();
  }

  async release(): Promise<void> {
    for (const giveBack of this.#reservations) giveBack();
    for (const lease of [...this.#leases].reverse()) await lease.release();
  }
}
