import type { PoolSlot } from './pool-slot.js';
import type { ResumedSession } from './resume-session.js';
import type { SessionHandle } from './session-handle.js';

/** Opens a new session, or loads the one that the step continues. */
export async function openSession(
  slot: PoolSlot,
  resumed: ResumedSession | undefined,
): Promise<SessionHandle> {
  if (resumed === undefined) return slot.open();
  try {
    return await slot.load(resumed.sessionId);
  } finally {
    // Check after a failed load too: the CLI may have overwritten the session file before it reported the failure.
    await resumed.check();
  }
}
