import type { BullWorker } from '../store/queue-store.js';

/**
 * Watches the locks of the running jobs. A job whose lock was not renewed in time may be with another worker already, so
 * its attempt has to end here: a store that cannot be reached says nothing of it. The clock of the system may be set meanwhile,
 * so the monotonic one counts.
 */
export class LockWatch {
  readonly #renewedAtMs = new Map<string, number>();
  readonly #lockMs: number;
  readonly #onLost: (jobId: string, isTaken: boolean) => void;
  readonly #timer: NodeJS.Timeout;

  /** `isTaken` is true if the store has refused the renewal: the job is with another worker. */
  constructor(lockMs: number, onLost: (jobId: string, isTaken: boolean) => void) {
    this.#lockMs = lockMs;
    this.#onLost = onLost;
    this.#timer = setInterval(() => this.#check(), Math.max(50, lockMs / 8));
  }

  /** Listens to the lock renewals of a worker of BullMQ. */
  follow({ events }: BullWorker): void {
    events.on('locksRenewed', ({ jobIds }: { readonly jobIds: readonly string[] }) => {
      for (const id of jobIds) if (this.#renewedAtMs.has(id)) this.begin(id);
    });
    events.on('lockRenewalFailed', (jobIds: readonly string[]) => {
      for (const id of jobIds) this.#onLost(id, true);
    });
  }

  /** The lock of the job is held from now on. */
  begin(jobId: string): void {
    this.#renewedAtMs.set(jobId, performance.now());
  }

  end(jobId: string): void {
    this.#renewedAtMs.delete(jobId);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    for (const [id, renewedAtMs] of this.#renewedAtMs) {
      if (performance.now() - renewedAtMs > this.#lockMs) this.#onLost(id, false);
    }
  }
}
