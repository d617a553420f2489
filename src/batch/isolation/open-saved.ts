import type { ChangeSet } from './isolated-workspace.js';
import { openSavedHere, type SavedRequest } from './open-saved-here.js';
import { RemoteIsolation } from './remote/remote-isolation.js';

/** Opens changes that an earlier run has saved, for their merge. Returns undefined if they cannot be used. */
export async function openSaved(request: SavedRequest): Promise<ChangeSet | undefined> {
  return RemoteIsolation.for(request.workspaceDir)?.openSaved(request) ?? openSavedHere(request);
}
