import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { GenerateResult, StepOutput } from '../../api/result.js';
import type { JobWorkspace } from '../protocol/envelope.js';
import { unpackJob } from '../protocol/envelope.js';
import { type AppliedChanges, applyShipped } from '../workspace/apply-shipped.js';
import { parseShippedChanges, parseShippedWorkspace } from '../workspace/shipped-workspace.js';
import type { FollowedEnd } from './follow-job.js';
import type { QueueClient } from './queue-client.js';
import { findShipState } from './workspace-choice.js';

export interface ReceiveRequest {
  readonly client: QueueClient;
  readonly jobId: string;
  /** Folder in which the changes are made. Undefined: they stay in the store. */
  readonly applyTo: string | undefined;
}

/**
 * Makes the changes of a step in the caller's folder, if the workspace was shipped: those of a success, and those that a
 * failed step has left behind, as a step on this machine would. Throws EXPECTATION_FAILED if they do not fit any more.
 */
export async function receiveChanges(
  { outcome, result, error }: FollowedEnd,
  { client, jobId, applyTo }: ReceiveRequest,
): Promise<AppliedChanges | undefined> {
  const changes = parseShippedChanges(outcome?.changes);
  const output = result ?? error?.partial;
  if (changes === undefined || output === undefined || applyTo === undefined) return undefined;
  const workspace = await readWorkspace(client, jobId);
  if (workspace.kind !== 'ship') return undefined;
  const shipped = parseShippedWorkspace(workspace.shipped);
  if (shipped === undefined) return undefined;
  const stateDir = findShipState();
  const patches = join(stateDir, 'kept');
  mkdirSync(patches, { recursive: true, mode: 0o700 });
  const { store } = await client.open();
  return applyShipped(shipped, changes, {
    dir: applyTo,
    blobs: store.blobs,
    stateDir,
    keptPatch: join(patches, `${jobId.replace(/[^\w.-]/g, '-')}.patch`),
    result: output,
    limits: client.settings.limits,
  });
}

/** Replaces the manifest of the worker by that of the caller's folder. */
export function withApplied<T extends StepOutput | GenerateResult>(
  output: T,
  applied: AppliedChanges | undefined,
): T {
  if (applied === undefined) return output;
  const { files } = applied;
  const warnings = [...output.warnings, ...applied.warnings];
  const there = files.filter(({ kind }) => kind !== 'deleted');
  const filesWritten = Object.fromEntries(there.map(({ path }) => [path, null]));
  return { ...output, files, warnings, ...('filesWritten' in output && { filesWritten }) };
}

async function readWorkspace(client: QueueClient, jobId: string): Promise<JobWorkspace> {
  const { job, follow } = await client.find(jobId);
  return unpackJob(jobId, job.data, follow.trust).workspace;
}
