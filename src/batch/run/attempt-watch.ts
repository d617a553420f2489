import type { AgentEvent, WorkerAssignedEvent } from '../../api/agent-event.js';
import type { BatchEvent } from '../../api/batch-event.js';
import type { JobReport } from '../../api/job-report.js';
import type { BatchState } from './batch-state.js';

export interface AttemptWatchOptions {
  readonly step: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  readonly state: Pick<BatchState, 'write'>;
  readonly emit: (event: BatchEvent) => void;
}

/**
 * Follows the events of an attempt: passes them on, measures how long the attempt waits in the queue or for a slot of the
 * pool, and writes the generation id and each worker to the ledger, which names them even if the batch is killed.
 */
export class AttemptWatch {
  readonly #options: AttemptWatchOptions;
  readonly #beganMs = performance.now();
  #sinceMs: number | undefined;
  #waitedMs = 0;
  /** Worker that has the attempt now, with the workers that were lost before. Undefined without a queue. */
  job: JobReport | undefined;
  /** Generation id of the result, or from the first event that has one. */
  generationId: string | undefined;

  constructor(options: AttemptWatchOptions) {
    this.#options = options;
  }

  /** Time that the attempt has waited so far, in whole milliseconds; undefined if it has not waited. */
  get waitedMs(): number | undefined {
    const open = this.#sinceMs === undefined ? 0 : performance.now() - this.#sinceMs;
    const waited = Math.round(this.#waitedMs + open);
    return waited === 0 ? undefined : waited;
  }

  accept(event: AgentEvent): void {
    const { step: stepId, emit } = this.#options;
    this.#waitedMs = this.waitedMs ?? 0;
    const isWaiting = event.type === 'session-status' && event.status === 'waiting';
    this.#sinceMs = isWaiting ? performance.now() : undefined;
    if (event.type === 'worker-assigned') this.#assign(event);
    emit({ type: 'step-progress', stepId, event });
    if (isWaiting) emit({ type: 'step-waiting', stepId, waitsFor: event.waitsFor ?? 'slot' });
    this.#nameGeneration(event);
  }

  /** Notes the worker of the attempt. */
  #assign({ jobId, worker, host, attempt, waitMs, lost }: WorkerAssignedEvent): void {
    if (this.job === undefined) {
      // The worker's event comes later than the worker has begun. A job of an earlier run has waited before this attempt.
      this.#waitedMs = Math.min(waitMs, performance.now() - this.#beganMs);
    }
    this.job = { jobId, worker, host, attempt, waitMs, lost };
    this.#write({ type: 'worker', job: this.job });
  }

  #nameGeneration({ generationId }: AgentEvent): void {
    // Events of a foreign provider are not checked by a compiler.
    if (typeof generationId !== 'string' || this.generationId !== undefined) return;
    this.generationId = generationId;
    this.#write({ type: 'generation', generationId });
  }

  #write(
    fact:
      | { readonly type: 'generation'; readonly generationId: string }
      | { readonly type: 'worker'; readonly job: JobReport },
  ): void {
    const { step, attempt, state } = this.#options;
    // The events of the step do not wait for the disk. A ledger that fails here also fails at the end of the attempt.
    state.write({ ...fact, step, attempt }).catch(() => {});
  }
}
