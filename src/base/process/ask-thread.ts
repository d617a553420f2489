import { Worker } from 'node:worker_threads';
import { unlessAborted } from './timing.js';

/** Threads that are kept for the next request, by program. Starting one takes about 50 ms. */
const idleThreads = new Map<string, Worker[]>();
const MOST_IDLE = 2;
/** Heap of a thread. A request that needs more ends the thread, not this process. */
const HEAP_MB = 1024;

/**
 * Sends a request to a program that runs in a thread, and returns its one answer. An abort ends the thread, also in the
 * middle of a regular expression, and throws the reason of the signal. The event loop of this process stays free.
 */
export async function askThread(
  program: string,
  request: unknown,
  signal?: AbortSignal,
): Promise<unknown> {
  signal?.throwIfAborted();
  const thread = idleThreads.get(program)?.pop() ?? startThread(program);
  // A waiting request keeps this process alive; an idle thread does not.
  thread.ref();
  try {
    const answer = await unlessAborted(exchange(thread, request), signal);
    keep(program, thread);
    return answer;
  } catch (error) {
    void thread.terminate();
    throw error;
  } finally {
    thread.removeAllListeners('message').removeAllListeners('exit');
  }
}

function startThread(program: string): Worker {
  const thread = new Worker(program, {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  // An error without a waiting request would end this process.
  thread.on('error', () => {});
  return thread;
}

function exchange(thread: Worker, request: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('The thread ended without an answer')));
    thread.postMessage(request);
  });
}

function keep(program: string, thread: Worker): void {
  thread.unref();
  const idle = idleThreads.get(program) ?? [];
  idleThreads.set(program, idle);
  if (idle.length < MOST_IDLE) idle.push(thread);
  else void thread.terminate();
}
