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
  concurrency: z.int().min(0),
  running: z.int().min(0),
  succeeded: z.int().min(0),
  failed: z.int().min(0),
  state: z.enum(['ready', 'draining', 'stopped']),
  reason: z.string().optional(),
  version: z.string(),
  protocol: z.string(),
  startedAt: z.string().refine((time) => !Number.isNaN(Date.parse(time))),
});
const heartbeatSchema = infoSchema.extend({
  /** Fingerprint of the worker's secret. Workers of an earlier version tell none. */
  secret: z.string().optional(),
});
/** What the heartbeat of a worker tells. */
export interface HeartbeatInfo extends WorkerInfo {
  readonly secret?: string | undefined;
}

/** Lists the workers whose heartbeat is young enough, in the order of their names. */
export async function listWorkers(blobs: BlobStore): Promise<WorkerInfo[]> {
  const workers = await readHeartbeats(blobs);
  return workers.map(({ secret: _own, ...worker }) => worker);
}

/** Like `listWorkers`, with the fingerprints of the secrets. */
export async function readHeartbeats(blobs: BlobStore): Promise<HeartbeatInfo[]> {
  const keys = await blobs.list(`${ROOM}/`);
  const contents = await Promise.all(keys.map((key) => blobs.get(key)));
  const workers = contents.flatMap((bytes) => {
    try {
      return heartbeatSchema.safeParse(JSON.parse(bytes?.toString('utf8') ?? '')).data ?? [];
    } catch {
      return [];
    }
  });
  return workers.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Hears of the heartbeats that the store has taken, and of those that it has not. */
export interface HeartbeatListener {
  written(): void;
  failed(error: unknown): void;
}

/** Writes the heartbeat of one worker until it is stopped. */
export class Heartbeat {
  readonly #blobs: BlobStore;
  readonly #describe: () => HeartbeatInfo;
  readonly #listener: HeartbeatListener | undefined;
  readonly #timer: NodeJS.Timeout;
  #beating: Promise<void> | undefined;
  #isOutdated = false;

  constructor(blobs: BlobStore, describe: () => HeartbeatInfo, listener?: HeartbeatListener) {
    this.#blobs = blobs;
    this.#describe = describe;
    this.#listener = listener;
    this.#timer = setInterval(() => void this.beat(), HEARTBEAT_MS);
  }

  /** Writes the first heartbeat. Throws if the store does not take it: the store would not take the ends of steps, either. */
  begin(): Promise<void> {
    return this.#write();
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
      this.#listener?.written();
    } catch (error) {
      // The next beat writes the state.
      this.#listener?.failed(error);
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
