import type { AgentEvent } from '../../api/agent-event.js';
import type { QueuePause } from '../job-info.js';
import type { EventBatch } from '../protocol/event-batch.js';
import { EventGuard } from '../protocol/event-guard.js';
import type { Progress } from '../protocol/job-progress.js';
import { describeQueuePause } from '../protocol/queue-controls.js';
import type { SigningTrust } from '../protocol/signature.js';
import type { OpenStore } from '../store/open-store.js';
import type { JobEnd, JobFollower, JobWatch } from './job-watch.js';

export interface FollowRequest {
  readonly id: string;
  readonly queueName: string;
  readonly store: OpenStore;
  readonly watch: JobWatch;
  readonly trust: SigningTrust;
  /** Time up to which a worker must have taken the job. */
  readonly expiresAtMs: number;
  /** True if the job was added just now: it waits, unless an event has said otherwise. */
  readonly isNew?: boolean | undefined;
}

/**
 * Why the caller stops following a job without its result. `gone`: the job was removed. `expired`: no worker took it in
 * time. `detached`: the caller has left. `unconfirmed`: the job was cancelled, and its worker gives no answer.
 */
export type NoResult = 'gone' | 'expired' | 'detached' | 'unconfirmed';

/** Collects what the watch reports, until the generator takes it. */
export class JobInbox implements JobFollower {
  readonly #request: FollowRequest;
  guard: EventGuard | undefined;
  end: JobEnd | { readonly kind: NoResult } | undefined;
  #events: AgentEvent[] = [];
  /** Batches of an attempt that is not known yet: its `worker-assigned` comes first. */
  #early: EventBatch[] = [];
  #isWaiting = false;
  #pause: QueuePause | undefined;
  /** Number of the last attempt that its worker has given back. */
  #returned = 0;
  #wake = (): void => {};

  constructor(request: FollowRequest) {
    this.#request = request;
  }

  events(batch: EventBatch): void {
    const attempt = this.guard?.attempt ?? 0;
    if (batch.attempt < attempt) return;
    if (batch.attempt > attempt) {
      this.#early.push(batch);
      void this.#request.watch.look(this.#request.id).catch(() => {});
      return;
    }
    this.#push(...(this.guard?.take(batch) ?? []));
  }

  assigned(
    progress: Pick<Progress, 'attempt' | 'worker' | 'host' | 'waitMs' | 'lost' | 'end'>,
  ): void {
    const { attempt, worker, host, waitMs, lost, end } = progress;
    if (attempt < (this.guard?.attempt ?? 0)) return;
    if (attempt === this.guard?.attempt) {
      if (end?.kind !== 'returned' || this.#returned === attempt) return;
      this.#returned = attempt;
      const why = end.reason === undefined ? '' : ` (${end.reason})`;
      this.#push(
        waitingEvent(`Worker ${worker} has given the step back${why}: it waits for a worker`),
      );
      return;
    }
    this.guard = new EventGuard(attempt);
    const { id: jobId } = this.#request;
    this.#push({ type: 'worker-assigned', jobId, worker, host, attempt, waitMs, lost });
    const early = this.#early;
    this.#early = [];
    for (const batch of early) this.events(batch);
  }

  waiting(): void {
    const { store, expiresAtMs } = this.#request;
    if (this.end !== undefined) return;
    if (store.nowMs() > expiresAtMs) this.ended({ kind: 'expired' });
    else if (!this.#isWaiting) this.#push(waitingEvent('The step waits for a worker'));
    this.#isWaiting = true;
  }

  paused(pause: QueuePause | undefined): void {
    const before = this.#pause;
    this.#pause = pause;
    if (pause?.until === before?.until) return;
    const message =
      pause === undefined
        ? 'The pause of the queue is over: the step waits for a worker'
        : `The step waits, because ${describeQueuePause(pause)}`;
    this.#push(waitingEvent(message));
  }

  /** The pause of the queue in which the job waits, as far as the watch has told it. */
  get pause(): QueuePause | undefined {
    return this.#pause;
  }

  ended(end: JobEnd | { readonly kind: NoResult }): void {
    this.end ??= end;
    this.#wake();
  }

  take(): AgentEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #push(...events: readonly AgentEvent[]): void {
    this.#events.push(...events);
    this.#wake();
  }

  /** Waits until there is something to take. */
  async wait(): Promise<void> {
    if (this.#events.length > 0 || this.end !== undefined) return;
    await new Promise<void>((resolve) => (this.#wake = resolve));
  }
}

function waitingEvent(message: string): AgentEvent {
  return { type: 'session-status', status: 'waiting', waitsFor: 'queue', message };
}
