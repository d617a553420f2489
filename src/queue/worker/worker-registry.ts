import { z } from 'zod';
import type { WorkerInfo } from '../job-info.js';
import type { BlobStore } from '../store/blob-store.js';

const ROOM = 'worker';
/** A worker without a heartbeat for this time is gone. */
const HEARTBEAT_TTL_MS = 15_000;
const HEARTBEAT_MS = 4_000;

const infoSchema = z.object({
  id: z.string(),
  name: z.string(),
  host: z.string(),
  pid: z.int(),
  labels: z.array(z.string()),
  concurrency: z.int(),
  running: z.int(),
  succeeded: z.int(),
  failed: z.int(),
  state: z.enum(['ready', 'draining', 'stopped']),
  reason: z.string().optional(),
  version: z.string(),
  protocol: z.string(),
  startedAt: z.string(),
});

/** Lists the workers whose heartbeat is young enough, in the order of their names. */
export async function listWorkers(blobs: BlobStore): Promise<WorkerInfo[]> {
  const keys = await blobs.list(`${ROOM}/`);
  const contents = await Promise.all(keys.map((key) => blobs.get(key)));
  const workers = contents.flatMap((bytes) => {
    try {
      return infoSchema.safeParse(JSON.parse(bytes?.toString('utf8') ?? '')).data ?? [];
    } catch {
      return [];
    }
  });
  return workers.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Writes the heartbeat of one worker until it is stopped. */
export class Heartbeat {
  readonly #blobs: BlobStore;
  readonly #describe: () => WorkerInfo;
  readonly #timer: NodeJS.Timeout;
  #beating: Promise<void> | undefined;
  #isOutdated = false;

  constructor(blobs: BlobStore, describe: () => WorkerInfo) {
    this.#blobs = blobs;
    this.#describe = describe;
    this.#timer = setInterval(() => void this.beat(), HEARTBEAT_MS);
  }

  /**
   * Writes the heartbeat now. A call during a write is followed by one more write, so that the store ends with the last
   * state. At most one call waits, because the store may be away.
   */
  beat(): Promise<void> {
    this.#isOutdated = true;
    this.#beating ??= this.#writeLast();
    return this.#beating;
  }

  async #writeLast(): Promise<void> {
    try {
      while (this.#isOutdated) {
        this.#isOutdated = false;
        await this.#write();
      }
    } catch {
      // The next beat writes the state.
    } finally {
      this.#beating = undefined;
    }
  }

  async #write(): Promise<void> {
    const info = this.#describe();
    const content = Buffer.from(JSON.stringify(info));
    await this.#blobs.put(`${ROOM}/${info.id}`, content, HEARTBEAT_TTL_MS);
  }

  /** Removes the worker from the list. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beating;
    await this.#blobs.delete(`${ROOM}/${this.#describe().id}`);
  }
}
