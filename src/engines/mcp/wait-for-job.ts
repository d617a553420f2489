import { callOnAbort } from '../../base/process/abort-listeners.js';
import type { Job } from './job.js';

/** Time between two progress messages that say the same. Some clients extend their deadline at each of them. */
const HEARTBEAT_MS = 10_000;

export interface JobWait {
  readonly seconds: number;
  /** Ends the wait. */
  readonly signal: AbortSignal;
  /** Sends a progress message. Absent if the client wants none. */
  readonly tell?: ((message: string) => void) | undefined;
}

/** Waits until a job has ended, or until the time is over. Tells what the job does meanwhile. */
export async function waitForJob(job: Job, { seconds, signal, tell }: JobWait): Promise<void> {
  const stopTelling = tell === undefined ? () => {} : tellActivities(job, tell);
  let timer: NodeJS.Timeout | undefined;
  let stopListening = (): void => {};
  try {
    await Promise.race([
      job.settled(),
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, seconds * 1000);
        stopListening = callOnAbort(signal, resolve);
      }),
    ]);
  } finally {
    clearTimeout(timer);
    stopListening();
    stopTelling();
  }
}

function tellActivities(job: Job, tell: (message: string) => void): () => void {
  let last = '';
  const send = (activity: string): void => {
    last = activity;
    tell(activity);
  };
  // A model that writes or thinks says so with each piece of its text: one message is enough.
  const stopListening = job.listen((activity) => {
    if (activity !== last) send(activity);
  });
  send(job.activity);
  const heartbeat = setInterval(() => {
    const seconds = Math.round(job.elapsedMs / 1000);
    send(`${job.activity} (${seconds} s)`);
  }, HEARTBEAT_MS);
  return () => {
    stopListening();
    clearInterval(heartbeat);
  };
}
