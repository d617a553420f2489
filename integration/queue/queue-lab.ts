import { randomUUID } from 'node:crypto';
import {
  createStepWorker,
  QueuedProvider,
  type QueuedProviderOptions,
  StepQueue,
  type StepWorker,
  type StepWorkerOptions,
} from 'gemini-cli-provider/queue';
import { onTestFinished } from 'vitest';
import { createQueueAgent } from '../programs/queue-agent.mjs';
import { makeFolder } from '../support.js';
import { type StoreName, shareStore } from './servers.js';

/** A queue of its own in a shared store, with providers and workers that end with the test. */
export interface QueueLab {
  readonly url: string;
  readonly name: string;
  readonly workspace: string;
  /** File with a line for each step that has begun on a worker of the lab. */
  readonly runs: string;
  connect(options?: Partial<QueuedProviderOptions>): QueuedProvider;
  work(options?: Partial<StepWorkerOptions>): Promise<StepWorker>;
  open(options?: Partial<QueuedProviderOptions>): StepQueue;
}

export async function openQueueLab(store: StoreName | { readonly url: string }): Promise<QueueLab> {
  const url = typeof store === 'string' ? await shareStore(store) : store.url;
  const name = `test-${randomUUID()}`;
  const workspace = makeFolder({ 'kept.txt': 'kept\n' });
  const ground = makeFolder({ 'runs.txt': '' });
  const runs = `${ground}/runs.txt`;
  return {
    url,
    name,
    workspace,
    runs,
    connect: (options = {}) => {
      const config = { workingDir: workspace };
      const provider = new QueuedProvider({ queue: url, name, config, ...options });
      onTestFinished(() => provider.dispose());
      return provider;
    },
    work: async (options = {}) => {
      const worker = await createStepWorker({
        queue: url,
        name,
        concurrency: 2,
        cacheDir: `${ground}/cache`,
        // @ts-expect-error: the agent has only the members that a worker uses.
        provider: createQueueAgent(runs),
        ...options,
      });
      onTestFinished(() => worker.close({ drain: false }));
      return worker;
    },
    open: (options = {}) => {
      const config = { workingDir: workspace };
      const queue = new StepQueue({ queue: url, name, config, ...options });
      onTestFinished(() => queue.close());
      return queue;
    },
  };
}
