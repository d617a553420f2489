import { ProviderError } from '../../base/errors/provider-error.js';
import { isKnownDead } from '../../base/process/process-identity.js';
import { sleep } from '../../base/process/timing.js';
import { assertReachable } from '../../step/reachable-folders.js';
import { LEASE_TIMING } from '../state/lease.js';
import { type FoundLease, listTokens, readLease } from '../state/lease-file.js';
import { describeOwner } from '../state/lease-messages.js';
import { locateRoot, locateState } from '../state/state-folder.js';
import { findSeal } from '../state/state-key.js';
import { type StopKind, writeStopRequest } from '../state/stop-request.js';

const POLL_MS = 200;
/** Time between two messages about the wait. */
const TELL_MS = 5_000;

export interface StopBatchOptions {
  readonly out: string;
  readonly state?: string | undefined;
  readonly kind: StopKind;
  /** False returns as soon as the request is written. */
  readonly wait: boolean;
  readonly onProgress: (message: string) => void;
}

/**
 * Stops the batch of an output folder from another process, and waits until that batch has ended. Throws INVALID_INPUT if no
 * batch runs there, and TIMEOUT if the batch no longer renews its lease.
 */
export async function stopBatch(options: StopBatchOptions): Promise<void> {
  const { out, kind, wait, onProgress } = options;
  await assertReachable([out, locateRoot(options.state)]);
  const stateDir = locateState(out, options.state);
  const running = await findRunning(stateDir);
  const content = running?.content;
  if (running === undefined) throw noBatch(out, stateDir);
  if (content === undefined) throw unknownOwner(out);
  writeStopRequest(stateDir, content.leaseId, kind);
  const effect = kind === 'stop' ? 'finishes its running steps' : 'cancels its running steps';
  const asked = `Asked the batch to stop (${describeOwner(content)}): it ${effect}`;
  onProgress(wait ? `${asked}. Waiting for its end` : asked);
  if (wait) await waitForEnd(stateDir, running, onProgress);
}

async function waitForEnd(
  stateDir: string,
  first: FoundLease,
  onProgress: (message: string) => void,
): Promise<void> {
  const startedMs = performance.now();
  let last = first;
  let changedMs = startedMs;
  let toldMs = startedMs;
  for (;;) {
    const now = await findRunning(stateDir);
    if (now === undefined || now.token !== first.token) return;
    const nowMs = performance.now();
    if (now.text !== last.text) changedMs = nowMs;
    last = now;
    if (nowMs - changedMs > LEASE_TIMING.leaseMs) throw noAnswer(now);
    if (nowMs - toldMs >= TELL_MS) {
      toldMs = nowMs;
      onProgress(`Still running after ${Math.round((nowMs - startedMs) / 1000)} s`);
    }
    await sleep(POLL_MS);
  }
}

/** Returns the lease of the batch that runs; undefined if none does. */
async function findRunning(stateDir: string): Promise<FoundLease | undefined> {
  const seal = findSeal(stateDir);
  const token = (await listTokens(stateDir)).at(-1);
  if (seal === undefined || token === undefined) return undefined;
  const found = await readLease(stateDir, token, seal);
  if (found === undefined || found.text === '') return undefined;
  return found.content !== undefined && isKnownDead(found.content.owner) ? undefined : found;
}

function noBatch(out: string, stateDir: string): ProviderError {
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: `No batch runs in ${out}`,
    hint: `The state was looked for in ${stateDir}. Give the --state of the batch if it has one.`,
  });
}

function unknownOwner(out: string): ProviderError {
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: `The batch in ${out} cannot be asked to stop: its lease is damaged or signed with another key`,
    hint: 'Use the same key (GEMINI_CLI_PROVIDER_STATE_KEY) as the batch.',
  });
}

function noAnswer({ content }: FoundLease): ProviderError {
  const seconds = LEASE_TIMING.leaseMs / 1000;
  return new ProviderError({
    code: 'TIMEOUT',
    message: `The batch has not renewed its lease for ${seconds} s: ${describeOwner(content)}`,
    hint: 'Its process has died or is frozen. If it has died, run the batch again to resume it.',
  });
}
