import { EventEmitter } from 'node:events';
import { createRedactor } from '../../src/base/errors/redact.js';
import { OpenStore } from '../../src/queue/store/open-store.js';
import type {
  BullJob,
  BullQueue,
  BullWorker,
  StoreDriver,
} from '../../src/queue/store/queue-store.js';
import { StoreClock } from '../../src/queue/store/store-clock.js';
import { createMemoryBlobs } from './workspace/support.js';

/** A job in memory, with the members of BullMQ's job that this package uses. */
export interface MemoryJob {
  id: string;
  queueName: string;
  data: unknown;
  timestamp: number;
  progress: unknown;
  returnvalue?: unknown;
  failedReason?: string;
  finishedOn?: number;
  /** State of BullMQ. */
  state: string;
  /** Names of the methods that were called. */
  readonly calls: string[];
}

/** A queue in memory. It keeps jobs and notes requests; no worker takes anything from it. */
export class MemoryQueue {
  readonly jobs = new Map<string, MemoryJob>();
  readonly requests: string[] = [];
  /** Most jobs of the queue that run at the same time, as BullMQ has it. */
  concurrency: number | null = null;
  /** Thrown by the next request. */
  failure: Error | undefined;
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  put(id: string, more: Partial<MemoryJob> = {}): MemoryJob & BullJob {
    const calls: string[] = [];
    const fields = {
      id,
      queueName: this.name,
      data: {},
      timestamp: 1_000,
      progress: 0,
      state: 'waiting',
    };
    const job = {
      ...fields,
      calls,
      updateProgress: async (progress: unknown) => {
        calls.push('updateProgress');
        job.progress = progress;
      },
      updateData: async (data: unknown) => {
        job.data = data;
      },
      moveToWait: async () => {
        calls.push('moveToWait');
        job.state = 'waiting';
      },
      remove: async () => {
        this.jobs.delete(id);
      },
      ...more,
    };
    this.jobs.set(id, job);
    // @ts-expect-error: a job of BullMQ has many more members.
    return job;
  }

  async addBulk(
    jobs: readonly { readonly data: unknown; readonly opts: { readonly jobId: string } }[],
  ) {
    this.requests.push(`addBulk ${jobs.length}`);
    this.#fail();
    for (const { data, opts } of jobs)
      if (!this.jobs.has(opts.jobId)) this.put(opts.jobId, { data });
    return [];
  }

  async add(_name: string, data: unknown, opts: { readonly jobId: string }) {
    this.requests.push('add');
    this.#fail();
    if (!this.jobs.has(opts.jobId)) this.put(opts.jobId, { data });
  }

  #fail(): void {
    const { failure } = this;
    this.failure = undefined;
    if (failure !== undefined) throw failure;
  }

  getJob = async (id: string) => {
    this.requests.push(`getJob ${id}`);
    return this.jobs.get(id);
  };
  getJobState = async (id: string) => this.jobs.get(id)?.state ?? 'unknown';
  getJobs = async (states: readonly string[], start = 0, end = -1) => {
    this.requests.push(`getJobs ${states.join(' ')} ${start}`);
    this.#fail();
    return [...this.jobs.values()]
      .filter(({ state }) => states.includes(state))
      .slice(start, end < 0 ? undefined : end + 1);
  };
  /** Removes the jobs that ended so long ago. */
  clean = async (graceMs: number, _limit: number, wanted: string) => {
    for (const [id, { state, finishedOn = 0 }] of this.jobs)
      if (state === wanted && finishedOn <= Date.now() - graceMs) this.jobs.delete(id);
    return [];
  };
  getRanges = async (states: readonly string[]) => {
    this.requests.push('getRanges');
    this.#fail();
    const found = [...this.jobs.values()].filter(({ state }) => states.includes(state));
    return found.map(({ id }) => id);
  };
  getJobCounts = async () => {
    const counts: Record<string, number> = {};
    for (const { state } of this.jobs.values()) counts[state] = (counts[state] ?? 0) + 1;
    return counts;
  };
  drain = async () => {
    for (const [id, { state }] of this.jobs)
      if (state === 'waiting' || state === 'delayed') this.jobs.delete(id);
  };
  rateLimit = async (ms: number) => void this.requests.push(`rateLimit ${ms}`);
  removeRateLimitKey = async () => void this.requests.push('removeRateLimitKey');
  getGlobalConcurrency = async () => this.concurrency;
  setGlobalConcurrency = async (limit: number) => {
    this.concurrency = limit;
    this.requests.push(`setGlobalConcurrency ${limit}`);
  };
  removeGlobalConcurrency = async () => {
    this.concurrency = null;
    this.requests.push('removeGlobalConcurrency');
  };
  close = async () => void this.requests.push('close');
}

/** A worker of BullMQ that takes no jobs, and notes what it is told. */
export class MemoryWorker implements BullWorker {
  readonly events = new EventEmitter();
  concurrency = 0;
  readonly calls: string[] = [];
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  cancelJob = () => true;
  pause = async () => void this.calls.push('pause');
  resume = async () => void this.calls.push('resume');
  waitUntilReady = async () => {};
  close = async (force?: boolean) => void this.calls.push(`close ${force}`);
}

/** A store in memory. */
export interface MemoryStore {
  readonly store: OpenStore;
  readonly blobs: ReturnType<typeof createMemoryBlobs>;
  readonly workers: Map<string, MemoryWorker>;
  /** Events that were published, by name of the queue. */
  readonly published: { readonly queue: string; readonly name: string; readonly fields: unknown }[];
  queue(name?: string): MemoryQueue;
  /** Emits an event of a queue, as BullMQ would. */
  emit(event: string, fields: unknown, queue?: string): void;
  /** Time of the store in milliseconds. */
  nowMs: number;
}

/** Opens a store in memory for the queue `q`. Its clock stands still. */
export async function openMemoryStore(
  isLoopback = true,
  kind: 'postgres' | 'redis' = 'redis',
): Promise<MemoryStore> {
  const blobs = createMemoryBlobs();
  const queues = new Map<string, MemoryQueue>();
  const sources = new Map<string, EventEmitter>();
  const workers = new Map<string, MemoryWorker>();
  const published: MemoryStore['published'] = [];
  const getQueue = (name: string): MemoryQueue => {
    const found = queues.get(name) ?? new MemoryQueue(name);
    queues.set(name, found);
    return found;
  };
  const getSource = (name: string): EventEmitter => {
    const found = sources.get(name) ?? new EventEmitter();
    sources.set(name, found);
    return found;
  };
  const memory = { nowMs: 10_000 };
  const clock = Object.assign(new StoreClock(async () => memory.nowMs), {
    now: () => memory.nowMs,
  });
  const driver: StoreDriver = {
    blobs,
    clock,
    notes: ['a note'],
    // @ts-expect-error: the requests that the tests need.
    createQueue: (name): BullQueue => getQueue(name),
    createEvents: (name) => ({
      events: getSource(name),
      waitUntilReady: async () => {},
      close: async () => {},
    }),
    createProducer: (queue) => ({
      publish: async (name, fields) => void published.push({ queue, name, fields }),
      close: async () => {},
    }),
    createWorker: (name) => {
      const worker = new MemoryWorker(name);
      workers.set(name, worker);
      return worker;
    },
    isConnected: true,
    waitUntilAnswers: async () => {},
    close: async () => {},
  };
  const address = {
    kind,
    url: 'redis://h',
    shown: 'redis://h',
    isLoopback,
    redactor: createRedactor([]),
  };
  const store = new OpenStore(address, 'q', driver, () => {});
  return Object.assign(memory, {
    store,
    blobs,
    workers,
    published,
    queue: (name = 'q') => getQueue(name),
    emit: (event: string, fields: unknown, name = 'q') => void getSource(name).emit(event, fields),
  });
}
