import type { RemoteSession } from '../../api/remote-session.js';

/** Most sessions of the past in the list: a phone gets the whole list each time it connects. */
const MOST_ENDED = 200;

/** Orders sessions: those that need a person first, then those that are open, then the newest. */
export function compareSessions(a: RemoteSession, b: RemoteSession): number {
  return urgencyOf(a) - urgencyOf(b) || Date.parse(b.updatedAt) - Date.parse(a.updatedAt);
}

function urgencyOf({ state }: RemoteSession): number {
  if (state === 'needs-you') return 0;
  return state === 'ended' ? 2 : 1;
}

/** Returns the sessions in order, without those of the past beyond the latest ones. */
export function cutSessions(sessions: readonly RemoteSession[]): readonly RemoteSession[] {
  let ended = 0;
  return [...sessions]
    .sort(compareSessions)
    .filter(({ state }) => state !== 'ended' || ++ended <= MOST_ENDED);
}
