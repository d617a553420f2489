import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentEvent } from '../../api/agent-event.js';
import type { ManifestFile } from '../../api/manifest.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { findCacheDirectory } from '../../base/fs/cache-folder.js';
import { isInside, realpathOf } from '../../base/fs/paths.js';
import { readEnvironment } from '../../base/process/environment.js';
import { createOriginalPaths } from '../../batch/run/original-paths.js';
import type { Envelope, JobWorkspace } from '../protocol/envelope.js';
import type { BlobStore } from '../store/blob-store.js';
import { openShipped } from '../workspace/open-shipped.js';
import { parseShippedWorkspace } from '../workspace/shipped-workspace.js';
import type { ProcessorSettings } from './worker-settings.js';

/** Workspace of one attempt on a worker. */
export interface AttemptWorkspace {
  /** Working directory of the step on this machine. */
  readonly dir: string;
  /** Folder to which the session of the step belongs, if it is not the working directory. */
  readonly sessionProject: string | undefined;
  /** Maps paths of this machine to those of the caller, in events. */
  mapEvent(event: AgentEvent): AgentEvent;
  /** Maps paths of this machine to those of the caller, in plain data. The files of a shipped workspace stay as they are. */
  mapData<T extends object>(data: T): T;
  /** Finds the changes of the step. Undefined if the caller sees them by itself. */
  collect(files: readonly ManifestFile[]): Promise<unknown>;
  dispose(): Promise<void>;
}

export interface WorkspaceRequest {
  readonly envelope: Envelope;
  readonly blobs: BlobStore;
  readonly settings: Pick<ProcessorSettings, 'cacheDir' | 'setup' | 'shipping' | 'sharedFolders'>;
  readonly signal: AbortSignal;
}

/** Returns inode and time of birth of a folder. Two machines that share a file system see the same. */
export function identify(dir: string): { readonly inode: string; readonly birthMs: number } {
  const { ino, birthtimeMs } = statSync(dir, { bigint: true });
  return { inode: String(ino), birthMs: Number(birthtimeMs) };
}

/** Opens the workspace of a job. Throws INVALID_INPUT if it is not there. */
export async function openWorkspace(request: WorkspaceRequest): Promise<AttemptWorkspace> {
  const { workspace, sessionProject } = request.envelope;
  if (workspace.kind === 'shared') {
    assertShared(workspace.dir, request.settings);
    return openShared(workspace, sessionProject);
  }
  return openFromStore(workspace, request);
}

async function openFromStore(
  { shipped, setup = [] }: Extract<JobWorkspace, { kind: 'ship' }>,
  { envelope, blobs, settings, signal }: WorkspaceRequest,
): Promise<AttemptWorkspace> {
  const environment = readEnvironment();
  const cacheDir =
    settings.cacheDir ?? join(findCacheDirectory(environment), 'gemini-cli-provider', 'queue');
  const parsed = parseShippedWorkspace(shipped);
  if (parsed === undefined) throw unknownWorkspace();
  const command = setup.length > 0 ? setup : settings.setup;
  const { limits, remotes, cacheBytes } = settings.shipping;
  const { setupTimeoutMs: timeoutMs, setupVariables: variables } = settings.shipping;
  const opened = await openShipped(parsed, {
    cacheDir,
    blobs,
    signal,
    limits,
    remotes,
    cacheBytes,
    lifeMs: envelope.keepMs,
    ...(command !== undefined && { setup: { command, timeoutMs, variables } }),
  });
  const { dir, toOriginal } = opened;
  const mapPaths = createOriginalPaths({ kind: 'copy', dir, toOriginal });
  return {
    dir,
    // The session outlives the worktree, so that it belongs to a folder that stays.
    sessionProject: cacheDir,
    mapEvent: mapPaths,
    mapData: mapPaths,
    collect: (files) => {
      const paths = files.map(({ absolutePath }) => absolutePath);
      return opened.collect({ extraPaths: paths, files: paths });
    },
    dispose: () => opened.dispose(),
  };
}

function unknownWorkspace(): ProviderError {
  return new ProviderError({
    code: 'INVALID_CONFIG',
    message: 'The workspace of the job is of a kind that this worker does not understand',
    hint: 'Install the same version of gemini-cli-provider on both sides of the queue.',
  });
}

/** Throws INVALID_CONFIG if steps may not work in a folder of this machine. Links do not lead out of the allowed folders. */
function assertShared(
  dir: string,
  { sharedFolders }: Pick<ProcessorSettings, 'sharedFolders'>,
): void {
  if (sharedFolders === true) return;
  const allowed = sharedFolders === false ? [] : sharedFolders;
  const path = realpathOf(dir);
  if (allowed.some((folder) => isInside(realpathOf(folder), path))) return;
  throw new ProviderError({
    code: 'INVALID_CONFIG',
    message: `This worker does not allow steps in the shared folder ${dir}`,
    hint: "Send the folder along with `workspace: 'ship'`, or add the folder to `allow.sharedFolders` of the worker (`--shared-folder`).",
  });
}

function openShared(
  { dir, identity }: Extract<JobWorkspace, { kind: 'shared' }>,
  sessionProject: string | undefined,
): AttemptWorkspace {
  const found = identifyIfThere(dir);
  if (found?.inode !== identity.inode || found.birthMs !== identity.birthMs) {
    const problem = found === undefined ? 'is not there' : 'is another folder';
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: `The working directory ${dir} of the caller ${problem} on this worker`,
      hint: "Share the folder under the same path, or send it along with `workspace: 'ship'`.",
    });
  }
  return {
    dir,
    sessionProject,
    mapEvent: (event) => event,
    mapData: (data) => data,
    collect: async () => undefined,
    dispose: async () => {},
  };
}

function identifyIfThere(dir: string): ReturnType<typeof identify> | undefined {
  try {
    return identify(dir);
  } catch {
    return undefined;
  }
}
