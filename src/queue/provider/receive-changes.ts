import { mkdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { GenerateResult, StepOutput } from '../../api/result.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { toProviderError } from '../../base/errors/unexpected-error.js';
import { createPathMap } from '../../batch/isolation/path-map.js';
import type { JobWorkspace } from '../protocol/envelope.js';
import { unpackJob } from '../protocol/envelope.js';
import { type AppliedChanges, applyShipped } from '../workspace/apply-shipped.js';
import {
  parseShippedChanges,
  parseShippedWorkspace,
  type ShippedChanges,
} from '../workspace/shipped-workspace.js';
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
 * failed step has left behind, as a step on this machine would. Throws the error of the step if they cannot be made: with
 * what the step has done, and where its changes are.
 */
export async function receiveChanges(
  end: FollowedEnd,
  { client, jobId, applyTo }: ReceiveRequest,
): Promise<AppliedChanges | undefined> {
  const { outcome, result, error } = end;
  const changes = parseShippedChanges(outcome?.changes);
  const output = result ?? error?.partial;
  if (changes === undefined || output === undefined || applyTo === undefined) return undefined;
  try {
    return await applyChanges({ client, jobId, applyTo, changes, output });
  } catch (thrown) {
    const problem = describeNotApplied(toProviderError(thrown), jobId);
    throw joinErrors(problem, error, moveFiles(pickOutput(output), changes, applyTo));
  }
}

interface ApplyRequest extends ReceiveRequest {
  readonly applyTo: string;
  readonly changes: ShippedChanges;
  readonly output: StepOutput | GenerateResult;
}

async function applyChanges({
  client,
  jobId,
  applyTo: dir,
  changes,
  output: result,
}: ApplyRequest): Promise<AppliedChanges | undefined> {
  const workspace = await readWorkspace(client, jobId);
  if (workspace.kind !== 'ship') return undefined;
  const shipped = parseShippedWorkspace(workspace.shipped);
  if (shipped === undefined) return undefined;
  const stateDir = findShipState();
  const patches = join(stateDir, 'kept');
  mkdirSync(patches, { recursive: true, mode: 0o700 });
  const { store } = await client.open();
  return applyShipped(shipped, changes, {
    dir,
    blobs: store.blobs,
    stateDir,
    keptPatch: join(patches, `${jobId.replace(/[^\w.-]/g, '-')}.patch`),
    result,
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

/** Adds to the error where the changes are. A conflict names its patch; every other problem may be over later. */
function describeNotApplied(error: ProviderError, jobId: string): ProviderError {
  if (error.code === 'EXPECTATION_FAILED') return error;
  const stays = `The changes stay in the store as long as the job: \`gemini-cli-provider queue result ${jobId} --apply-to DIR\` makes them.`;
  return new ProviderError({
    ...error.toJSON(),
    hint: `${error.hint} ${stays}`.trim(),
    cause: error,
  });
}

/** The error of a step that has failed by itself comes first. */
function joinErrors(
  problem: ProviderError,
  failed: ProviderError | undefined,
  partial: StepOutput,
): ProviderError {
  if (failed === undefined)
    return new ProviderError({ ...problem.toJSON(), partial, cause: problem });
  const hint =
    `${failed.hint} Its changes were not made: ${problem.message}. ${problem.hint}`.trim();
  return new ProviderError({ ...failed.toJSON(), hint, partial, cause: failed.cause ?? problem });
}

/** Leaves out what only a success has. */
function pickOutput(output: StepOutput | GenerateResult): StepOutput {
  if (!('filesWritten' in output)) return output;
  const { filesWritten: _paths, context: _own, data: _data, messages: _messages, ...rest } = output;
  return rest;
}

/** Gives the files of the worker the paths that they would have in the caller's folder, where they are not. */
function moveFiles(output: StepOutput, { tree, dir }: ShippedChanges, applyTo: string): StepOutput {
  const workspaceDir = resolve(applyTo);
  const root = resolve(workspaceDir, relative(dir, tree));
  const { toOriginal } = createPathMap({ root, tree, workspaceDir, dir });
  const files = output.files.map((file) => {
    return { ...file, absolutePath: toOriginal(file.absolutePath), confirmed: false };
  });
  return { ...output, files };
}

async function readWorkspace(client: QueueClient, jobId: string): Promise<JobWorkspace> {
  const { job, follow } = await client.find(jobId);
  return unpackJob(jobId, job.data, follow.trust).workspace;
}
