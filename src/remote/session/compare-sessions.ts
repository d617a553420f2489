import type { RemoteSession } from '../../api/remote-session.js';

/** Orders sessions: those that need a person first, then those that are open, then the newest. */
export function compareSessions(a: RemoteSession, b: RemoteSession): number {
  return urgencyOf(a) - urgencyOf(b) || Date.parse(b.updatedAt) - Date.parse(a.updatedAt);
}

function urgencyOf({ state }: RemoteSession): number {
  if (state === 'needs-you') return 0;
  return state === 'ended' ? 2 : 1;
}
