import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { createQueueAgent } from '../../integration/programs/queue-agent.mjs';
import type { AgentEvent } from '../../src/api/agent-event.js';
import { ProviderError } from '../../src/base/errors/provider-error.js';
import { startEmbeddedPostgres } from '../../src/queue/embedded/start-embedded-postgres.js';
import type { JobInfo } from '../../src/queue/job-info.js';
import { QueuedProvider } from '../../src/queue/provider/queued-provider.js';
import type { QueuedProviderOptions } from '../../src/queue/provider/queued-provider-options.js';
import { StepQueue } from '../../src/queue/step-queue.js';
import { createStepWorker, type StepWorker } from '../../src/queue/worker/create-step-worker.js';
import type { StepWorkerEvent } from '../../src/queue/worker/step-worker-event.js';
import type { StepWorkerOptions } from '../../src/queue/worker/step-worker-options.js';
import { makeTree } from '../base/fs/make-tree.js';

let starting: Promise<string> | undefined;

/**
 * Returns the URL of a PostgreSQL that all tests of one start of vitest share, so that each test needs a queue name of its own. The
 * server ends after the last process that uses it.
 */
export function sharePostgres(): Promise<string> {
  starting ??= start();
  return starting;
}

async function start(): Promise<string> {
  // The parent of all test processes is vitest.
  const directory = join(realpathSync(tmpdir()), `queue-postgres-of-${process.ppid}`);
  return (await startEmbeddedPostgres({ directory, temporary: true })).url;
}

/** A queue of its own on the shared PostgreSQL, with callers and workers that end with the test. */
export interface QueueLab {
  readonly connection: { readonly queue: string; readonly name: string };
  /** Working directory of the caller. */
  readonly workspace: string;
  open(options?: Partial<QueuedProviderOptions>): StepQueue;
  connect(options?: Partial<QueuedProviderOptions>): QueuedProvider;
  work(options?: Partial<StepWorkerOptions>): Promise<LabWorker>;
}

export interface LabWorker extends StepWorker {
  readonly events: readonly StepWorkerEvent[];
}

/** Options of a worker whose steps do what their prompt says, see `createQueueAgent`. */
export function scriptedAgent(): Pick<StepWorkerOptions, 'provider'> {
  // @ts-expect-error: the agent has only the members that a worker uses.
  return { provider: createQueueAgent() };
}

/** Agent whose steps fail at their end, with what they did. */
export function failingAgent(): Pick<StepWorkerOptions, 'provider'> {
  const agent = createQueueAgent();
  // @ts-expect-error: the agent has only the members that a worker uses.
  return { provider: { ...agent, stream } };
  async function* stream(...call: Parameters<typeof agent.stream>) {
    for await (const event of agent.stream(...call)) {
      if (event.type !== 'turn-complete') yield event;
      else {
        const partial = event.result && { ...event.result, generationId: '' };
        throw new ProviderError({ code: 'API_REQUEST', message: 'no', partial });
      }
    }
  }
}

export async function openQueueLab(): Promise<QueueLab> {
  const connection = { queue: await sharePostgres(), name: `test-${randomUUID()}` };
  const workspace = makeTree({ 'kept.txt': 'kept\n' });
  const cacheDir = makeTree();
  const caller = { ...connection, pollInterval: 0.1, config: { workingDir: workspace } };
  return {
    connection,
    workspace,
    open: (options) => {
      const queue = new StepQueue({ ...caller, ...options });
      onTestFinished(() => queue.close());
      return queue;
    },
    connect: (options) => {
      const provider = new QueuedProvider({ ...caller, ...options });
      onTestFinished(() => provider.dispose());
      return provider;
    },
    work: async (options) => {
      const events: StepWorkerEvent[] = [];
      const worker = await createStepWorker({
        ...connection,
        ...scriptedAgent(),
        concurrency: 2,
        cacheDir,
        onEvent: (event) => events.push(event),
        ...options,
      });
      onTestFinished(() => worker.close({ drain: false }));
      return Object.assign(worker, { events });
    },
  };
}

/** Returns the `ProviderError` with which a call ends. */
export async function errorOf(ending: Promise<unknown>): Promise<ProviderError> {
  const outcome = await ending.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (ProviderError.isInstance(outcome)) return outcome;
  throw new Error(`A ProviderError was expected, not ${String(outcome)}`);
}

export async function collect(stream: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

/** Waits until a job is in the state. Returns what the queue says about the job. */
export function untilJob(queue: StepQueue, id: string, state: JobInfo['state']): Promise<JobInfo> {
  return vi.waitUntil(
    async () => {
      const job = await queue.show(id);
      return job.state === state && job;
    },
    { timeout: 10_000, interval: 20 },
  );
}

/** Waits until the worker runs a step. A job is active in the store a moment earlier. */
export async function untilRunning(worker: StepWorker): Promise<void> {
  await vi.waitUntil(() => worker.stats().running > 0, { timeout: 10_000, interval: 10 });
}
