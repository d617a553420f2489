import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readSealedFile, writeSealedFile } from './sealed-file.js';

const FILE = 'stop.json';
const POLL_MS = 1_000;
const request = z.object({ leaseId: z.string(), kind: z.enum(['stop', 'cancel']) });

/** `stop`: running steps finish, as after one Ctrl-C. `cancel`: they are cancelled, as after two. */
export type StopKind = z.infer<typeof request>['kind'];

/** Asks the run with this lease to stop. Works across containers and machines that share the state folder. */
export function writeStopRequest(stateDir: string, leaseId: string, kind: StopKind): void {
  writeSealedFile(join(stateDir, FILE), { leaseId, kind });
}

/** Reads the request for the run with this lease. Requests for other runs and unsigned ones do not count. */
export function readStopRequest(stateDir: string, leaseId: string): StopKind | undefined {
  const found = readSealedFile(join(stateDir, FILE));
  const parsed = found.kind === 'valid' ? request.safeParse(found.value).data : undefined;
  return parsed?.leaseId === leaseId ? parsed.kind : undefined;
}

/** Calls a function when a request arrives, once per kind. Returns a function that ends the watch and removes the request. */
export function watchStopRequests(
  stateDir: string,
  leaseId: string,
  onRequest: (kind: StopKind) => void,
): () => Promise<void> {
  let last: StopKind | undefined;
  const timer = setInterval(() => {
    const kind = readStopRequest(stateDir, leaseId);
    if (kind === undefined || kind === last) return;
    last = kind;
    onRequest(kind);
  }, POLL_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await rm(join(stateDir, FILE), { force: true }).catch(() => {});
  };
}
