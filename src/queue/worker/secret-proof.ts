import { type DoubtfulJob, doubtOf } from '../protocol/envelope.js';
import { labelsOfJob, queueNameOf, satisfies } from '../protocol/labels.js';
import { fingerprintOf, NO_SECRET, type SigningTrust } from '../protocol/signature.js';
import type { OpenStore } from '../store/open-store.js';
import { type HeartbeatInfo, readHeartbeats } from './worker-registry.js';

/** Jobs of each queue that a worker looks at to find one that its own secret has signed. */
const MOST_LOOKED_AT = 10;
/** Characters of a signature by which a job that was signed again is told from the one before. */
const SHOWN_SIGNATURE = 8;

/**
 * Decides what becomes of a job whose signature does not fit: the secret of the caller, that of this worker, or the job itself is
 * wrong. Failing the job is final, and a worker with the wrong secret would fail the jobs of all callers within seconds.
 */
export class SecretProof {
  /** Fingerprint of this worker's secret. */
  readonly fingerprint: string;
  readonly #store: OpenStore;
  readonly #trust: SigningTrust;
  readonly #ownId: string | undefined;
  #isProven = false;

  constructor(store: OpenStore, trust: SigningTrust, ownId: string | undefined) {
    this.#store = store;
    this.#trust = trust;
    this.#ownId = ownId;
    this.fingerprint = fingerprintOf(trust);
  }

  /** True if this worker has seen a job that its own secret has signed. */
  get isProven(): boolean {
    return this.#isProven;
  }

  /** Returns the doubt about the signature of a job. Undefined if the job can be run, or refused by any worker. */
  doubt(jobId: string, data: unknown): DoubtfulJob | undefined {
    const doubt = doubtOf(jobId, data, this.#trust);
    if (doubt === 'right') this.#isProven = true;
    return typeof doubt === 'string' ? undefined : doubt;
  }

  /** Names a doubt of this worker in the progress of a job. */
  nameOf({ signature = '' }: DoubtfulJob): string {
    return nameDoubt(this.fingerprint, signature);
  }

  /**
   * True if this worker may fail the job: no worker is left that may know the secret of the job, and the secret of this worker
   * is that of others.
   */
  async mayFail(
    jobId: string,
    { signature }: DoubtfulJob,
    refusedBy: readonly string[] = [],
  ): Promise<boolean> {
    const labels = labelsOfJob(jobId);
    const others = await this.#others();
    const mayKnow = others.filter((other) => {
      const isOther = signature === undefined ? isOpen(other) : this.#isElsewhere(other);
      const doubt = nameDoubt(other.secret ?? '', signature ?? '');
      return isOther && satisfies(other.labels, labels) && !refusedBy.includes(doubt);
    });
    if (mayKnow.length > 0) return false;
    // No secret of a worker is wrong for a job that no secret has signed.
    return signature === undefined || this.#isTrusted(others);
  }

  /** True if this worker may take jobs again after a job that it has given back. */
  async mayGoOn(): Promise<boolean> {
    const others = await this.#others();
    if (others.some((other) => this.#isElsewhere(other))) return this.#prove();
    return this.#isTrusted(others);
  }

  async #isTrusted(others: readonly HeartbeatInfo[]): Promise<boolean> {
    return others.some(({ secret }) => secret === this.fingerprint) || this.#prove();
  }

  /** Looks for a job that the own secret has signed. Ended jobs do not count: the secret may have been changed since. */
  async #prove(): Promise<boolean> {
    for (const labels of this.#isProven ? [] : await this.#store.requirements()) {
      const queue = this.#store.queue(queueNameOf(this.#store.name, labels));
      const states = ['waiting', 'prioritized', 'active'] as const;
      const jobs = await queue.getJobs([...states], 0, MOST_LOOKED_AT - 1, false);
      for (const job of jobs) if (job !== undefined) this.doubt(job.id ?? '', job.data);
    }
    return this.#isProven;
  }

  async #others(): Promise<HeartbeatInfo[]> {
    const workers = await readHeartbeats(this.#store.blobs);
    return workers.filter(({ id, state }) => id !== this.#ownId && state === 'ready');
  }

  #isElsewhere({ secret }: HeartbeatInfo): boolean {
    return secret !== undefined && secret !== this.fingerprint;
  }
}

function isOpen({ secret }: HeartbeatInfo): boolean {
  return secret === NO_SECRET;
}

function nameDoubt(fingerprint: string, signature: string): string {
  return `${fingerprint} ${signature.slice(0, SHOWN_SIGNATURE)}`;
}
