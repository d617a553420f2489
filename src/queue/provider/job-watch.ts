import { isObject } from '../../base/json/is-object.js';
import type { QueuePause } from '../job-info.js';
import { AGENT_EVENT, type EventBatch, unpackEvents } from '../protocol/event-batch.js';
import { type Progress, parseProgress } from '../protocol/job-progress.js';
import type { SigningTrust } from '../protocol/signature.js';
import type { OpenStore } from '../store/open-store.js';
import type { BullJob, BullQueue } from '../store/queue-store.js';
import { readPause } from '../worker/queue-pause.js';

/** Jobs that are looked at one by one at each tick. The others are found in the list of the latest ends. */
const LOOKS_PER_TICK = 50;
/** Length of that list. */
const LATEST_ENDS = 1_000;
/** Most ids of ended jobs that are remembered until they are followed. */
const MOST_EARLY_ENDS = 1_000;

/** Events of BullMQ after which another one may be missing, see `#lookBack`. */
const STORE_EVENTS = ['active', 'progress', 'completed', 'failed', AGENT_EVENT];
/** Time after an event until the latest ends are looked at, and how many of them. */
const [LOOK_BACK_MS, LOOK_BACK_ENDS] = [200, 100];

/** A job that waits longer is told of a pause of the queue. */
const PATIENCE_MS = 2_000;

/** The end of a job, as the store has it. */
export type JobEnd =
  | { readonly kind: 'completed'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'gone' };

/** What a follower of a job wants to know. */
export interface JobFollower {
  /** Events of an attempt: hints that may be lost. */
  events(batch: EventBatch): void;
  /** A worker has the job. Also called if nothing has changed. */
  assigned(progress: Progress): void;
  ended(end: JobEnd): void;
  /** Called at each look at the job that finds it neither assigned nor ended. */
  waiting(): void;
  /** Called before each look at a job that waits for long, with the pause of the queue. Undefined if there is none. */
  paused(pause: QueuePause | undefined): void;
}

interface Followed {
  readonly queueName: string;
  readonly followers: Set<JobFollower>;
  /** When the job was seen to wait for the first time. Undefined while a worker has it. */
  waitsSinceMs?: number | undefined;
}

/**
 * Watches all jobs that a process follows. Events are hints, the state in the store is the truth: a timer looks at it for
 * all jobs together, because a timer and a request per job would not scale.
 */
export class JobWatch {
  readonly #store: OpenStore;
  readonly #trust: SigningTrust;
  readonly #pollMs: number;
  readonly #jobs = new Map<string, Followed>();
  readonly #listening = new Map<string, Promise<void>>();
  /** Jobs whose end was announced while they were not followed: the answer to their addition may come later. */
  readonly #early = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #isTicking = false;
  #lookingBack: NodeJS.Timeout | undefined;

  constructor(store: OpenStore, trust: SigningTrust, pollMs: number) {
    this.#store = store;
    this.#trust = trust;
    this.#pollMs = pollMs;
  }

  /** Listens to the events of a queue. Resolves when no later event is missed. */
  listen(queueName: string): Promise<void> {
    const listening = this.#listening.get(queueName) ?? this.#listen(queueName);
    this.#listening.set(queueName, listening);
    return listening;
  }

  /** Follows a job until the returned function is called. */
  follow(id: string, queueName: string, follower: JobFollower): () => void {
    const job = this.#jobs.get(id) ?? { queueName, followers: new Set<JobFollower>() };
    this.#jobs.set(id, job);
    job.followers.add(follower);
    this.#timer ??= setInterval(() => void this.#tick(), this.#pollMs);
    return () => {
      job.followers.delete(follower);
      if (job.followers.size === 0 && this.#jobs.get(id) === job) this.#jobs.delete(id);
      if (this.#jobs.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  /** True if the end of a job was announced before the job was followed. */
  hasEndedEarly(id: string): boolean {
    return this.#early.delete(id);
  }

  /** Looks at a job now. */
  async look(id: string): Promise<void> {
    const followed = this.#jobs.get(id);
    if (followed === undefined) return;
    const job = await this.#store.queue(followed.queueName).getJob(id);
    if (job === undefined) return this.#end(id, { kind: 'gone' });
    if (job.finishedOn !== undefined) return this.#end(id, readEnd(job));
    const progress = parseProgress(job.progress);
    const isWaiting = progress === undefined || progress.end !== undefined;
    followed.waitsSinceMs = isWaiting ? (followed.waitsSinceMs ?? performance.now()) : undefined;
    for (const follower of [...followed.followers]) {
      if (progress === undefined) follower.waiting();
      else follower.assigned(progress);
    }
  }

  close(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#lookingBack);
    this.#jobs.clear();
  }

  async #listen(queueName: string): Promise<void> {
    const source = this.#store.events(queueName);
    source.events.on(AGENT_EVENT, (fields: unknown) => {
      const id = idOf(fields, 'id');
      const followed = this.#jobs.get(id);
      const batch = followed && unpackEvents(id, fields, this.#trust);
      if (batch !== undefined) for (const it of [...(followed?.followers ?? [])]) it.events(batch);
    });
    source.events.on('progress', (fields: unknown) => {
      const progress = isObject(fields) ? parseProgress(fields['data']) : undefined;
      const followers = this.#jobs.get(idOf(fields, 'jobId'))?.followers ?? [];
      if (progress !== undefined)
        for (const follower of [...followers]) follower.assigned(progress);
    });
    source.events.on('completed', (fields: unknown) => {
      const value = isObject(fields) ? fields['returnvalue'] : undefined;
      const id = idOf(fields, 'jobId');
      if (isObject(value) && this.#jobs.has(id)) this.#end(id, { kind: 'completed', value });
      else this.#hear(id);
    });
    for (const name of ['failed', 'removed'])
      source.events.on(name, (fields: unknown) => this.#hear(idOf(fields, 'jobId')));
    if (this.#store.address.kind === 'postgres')
      for (const name of STORE_EVENTS) source.events.on(name, () => this.#lookBack());
    await source.waitUntilReady();
  }

  /** Hears that a job has ended: looks at it, or remembers it for its follower. */
  #hear(id: string): void {
    if (this.#jobs.has(id)) void this.look(id).catch(() => {});
    else this.#early.add(id);
    const [oldest] = this.#early;
    if (this.#early.size > MOST_EARLY_ENDS && oldest !== undefined) this.#early.delete(oldest);
  }

  /**
   * Looks at the latest ends a moment after an event. On PostgreSQL, BullMQ reads events by their number: one whose transaction
   * commits after that of a later number is skipped, and one that is committed at the same time as another is not announced.
   */
  #lookBack(): void {
    if (this.#jobs.size === 0) return;
    this.#lookingBack ??= setTimeout(() => {
      this.#lookingBack = undefined;
      const look = (ids: ReadonlySet<string>) => Promise.all([...ids].map((id) => this.look(id)));
      // After a failure, the next tick asks again.
      this.#findEnded(LOOK_BACK_ENDS)
        .then(look)
        .catch(() => {});
    }, LOOK_BACK_MS);
  }

  #end(id: string, end: JobEnd): void {
    const followers = this.#jobs.get(id)?.followers ?? [];
    for (const follower of [...followers]) follower.ended(end);
  }

  async #tick(): Promise<void> {
    // While the store cannot be reached, one tick waits: more of them would pile up.
    if (this.#isTicking) return;
    this.#isTicking = true;
    try {
      const ids =
        this.#jobs.size > LOOKS_PER_TICK ? await this.#findEnded(LATEST_ENDS) : new Set<string>();
      for (const [id] of [...this.#jobs].slice(0, LOOKS_PER_TICK)) ids.add(id);
      for (const id of ids) this.#moveBack(id);
      await this.#tellPause();
      await Promise.all([...ids].map((id) => this.look(id)));
    } catch {
      // The next tick asks again.
    } finally {
      this.#isTicking = false;
    }
  }

  /** Tells the jobs that wait for long of a pause: one request for all of them. */
  async #tellPause(): Promise<void> {
    const sinceMs = performance.now() - PATIENCE_MS;
    const late = [...this.#jobs.values()].filter((job) => (job.waitsSinceMs ?? sinceMs) < sinceMs);
    if (late.length === 0) return;
    const pause = await readPause(this.#store);
    for (const { followers } of late) for (const it of [...followers]) it.paused(pause);
  }

  /** Puts a job at the end of the order, so that each tick looks at those that were not looked at for longest. */
  #moveBack(id: string): void {
    const job = this.#jobs.get(id);
    if (job === undefined) return;
    this.#jobs.delete(id);
    this.#jobs.set(id, job);
  }

  async #findEnded(count: number): Promise<Set<string>> {
    const names = new Set([...this.#jobs.values()].map(({ queueName }) => queueName));
    const lists = await Promise.all(
      [...names].map((name) => listLatestEnds(this.#store.queue(name), count)),
    );
    return new Set(lists.flat().filter((id) => this.#jobs.has(id)));
  }
}

async function listLatestEnds(queue: BullQueue, count: number): Promise<string[]> {
  const ids = await queue.getRanges(['completed', 'failed'], 0, count - 1, false);
  return ids.map(String);
}

/** A job that ended well has a value; this package writes no empty one. */
function readEnd(job: BullJob): JobEnd {
  if (isObject(job.returnvalue)) return { kind: 'completed', value: job.returnvalue };
  return { kind: 'failed', reason: job.failedReason ?? '' };
}

function idOf(fields: unknown, name: string): string {
  const id = isObject(fields) ? fields[name] : undefined;
  return typeof id === 'string' ? id : '';
}
