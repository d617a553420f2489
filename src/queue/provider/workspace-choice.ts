import { join } from 'node:path';
import { ProviderError } from '../../base/errors/provider-error.js';
import { findStateDirectory } from '../../base/fs/state-directory.js';
import { readEnvironment } from '../../base/process/environment.js';
import type { JobWorkspace } from '../protocol/envelope.js';
import type { OpenStore } from '../store/open-store.js';
import { identify } from '../worker/open-workspace.js';
import { shipWorkspace } from '../workspace/ship-workspace.js';
import type { ClientSettings } from './client-settings.js';
import type { QueuedRequest } from './queued-request.js';

/** Decides how the working directory of a step reaches the worker, and sends it if needed. */
export async function sendWorkspace(
  request: QueuedRequest,
  settings: ClientSettings,
  store: OpenStore,
): Promise<JobWorkspace> {
  const { workingDir: dir } = request;
  if (isShared(request, settings, store)) return { kind: 'shared', dir, identity: identify(dir) };
  const { workspace, include, limits, setup } = settings;
  if (request.options['resume'] !== undefined) throw cannotResume();
  const shipped = await shipWorkspace({
    dir,
    include,
    limits,
    blobs: store.blobs,
    lifeMs: lifeOf(settings),
    stateDir: findShipState(),
    ...(typeof workspace === 'object' && { remote: workspace.remote }),
    ...(request.signal !== undefined && { signal: request.signal }),
  });
  return { kind: 'ship', dir, shipped, ...(setup !== undefined && { setup: [...setup] }) };
}

/** Returns the time that a job and its result may be in the store: what belongs to it stays as long. */
export function lifeOf({ waitTimeoutMs, keepMs }: ClientSettings): number {
  return waitTimeoutMs + keepMs;
}

/** Returns the private folder of this user for what the caller's side of shipped workspaces needs. */
export function findShipState(): string {
  return join(findStateDirectory(readEnvironment()), 'queue');
}

function cannotResume(): ProviderError {
  return new ProviderError({
    code: 'INVALID_CONFIG',
    message:
      'A session cannot be resumed in a workspace that is shipped: it is on the worker that ran it',
    hint: "Leave `resume` out, or set `workspace: 'shared'` where all workers share their home.",
  });
}

/** A temporary folder of a batch is on this machine alone, even if its user shares the rest. */
function isShared(
  { sessionProject }: QueuedRequest,
  { workspace }: ClientSettings,
  { address }: OpenStore,
): boolean {
  if (workspace === 'auto') return address.isLoopback && sessionProject === undefined;
  return workspace === 'shared';
}
