import type { AcpRequest } from './acp-request.js';
import type { Place } from './agent-pool.js';
import type { AgentSession } from './agent-session.js';

/** The session of a step: a new one, or the one that it is to go on with. */
export async function openSession(
  place: Pick<Place, 'open' | 'load'>,
  { resume, onResumed }: Pick<AcpRequest, 'resume' | 'onResumed'>,
): Promise<AgentSession> {
  if (resume === undefined) return place.open();
  try {
    return await place.load(resume);
  } finally {
    // Also where it fails: the CLI may have destroyed the session before it said that there is none.
    await onResumed();
  }
}
