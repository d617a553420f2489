import { z } from 'zod';
import { cleanLine } from '../../base/text/clean-text.js';
import type { QueuePause } from '../job-info.js';
import type { BlobStore } from '../store/blob-store.js';

/** Key of the pause of the whole queue. */
export const PAUSE_KEY = 'control/pause';
/** Key of the limit on the concurrency of the whole queue. */
export const LIMIT_KEY = 'control/limit';

/** Text that is shown. A pause is not signed: its texts must not steer a terminal. */
const shownText = z.string().transform(cleanLine);

const limitSchema = z.object({ limit: z.int().min(1), halvedAtMs: z.number() });
const pauseSchema = z.object({
  code: z.enum(['RATE_LIMITED', 'QUOTA_EXHAUSTED']),
  message: shownText,
  worker: shownText,
  until: z.string().refine((time) => !Number.isNaN(Date.parse(time))),
});

/** Number of steps that all workers together may run, and when it was halved for the last time. */
export type QueueLimit = Readonly<z.output<typeof limitSchema>>;

/** Reads the pause that is in force. */
export function findPause(blobs: Pick<BlobStore, 'get'>): Promise<QueuePause | undefined> {
  return readJson(blobs, PAUSE_KEY, pauseSchema);
}

/** Reads the limit that is in force. */
export function findLimit(blobs: Pick<BlobStore, 'get'>): Promise<QueueLimit | undefined> {
  return readJson(blobs, LIMIT_KEY, limitSchema);
}

/** Describes a pause as a clause: `the queue is paused until … (RATE_LIMITED on w1: slow down)`. */
export function describeQueuePause({ until, code, worker, message }: QueuePause): string {
  return `the queue is paused until ${until} (${code} on ${worker}: ${message})`;
}

async function readJson<T>(
  blobs: Pick<BlobStore, 'get'>,
  key: string,
  schema: z.ZodType<T>,
): Promise<T | undefined> {
  const bytes = await blobs.get(key);
  if (bytes === undefined) return undefined;
  try {
    return schema.safeParse(JSON.parse(bytes.toString('utf8'))).data;
  } catch {
    return undefined;
  }
}
