import type { AcpRequest } from './acp-request.js';
import type { PoolSlot } from './agent-pool.js';
import type { SessionHandle } from './session-handle.js';

/** The session of a step: a new one, or the one that it is to go on with. */
export async function openSession(
  place: Pick<PoolSlot, 'open' | 'load'>,
  { resume, onResumed }: Pick<AcpRequest, 'resume' | 'onResumed'>,
): Promise<SessionHandle> {
  if (resume === undefined) return place.open();
  try {
    return await place.load(resume);
  } finally {
    // Also where it fails: the CLI may have destroyed the session before it said that there is none.
    await onResumed();
  }
}
