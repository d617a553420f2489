import { createHash } from 'node:crypto';
import type { RemoteSession } from '../../api/remote-session.js';

/** The list of sessions for a device. */
export interface SentSessions {
  /** All sessions, or those that are open if the device has the others. */
  readonly sessions: readonly RemoteSession[];
  /** Version of the sessions that have ended. Two lists with the same content have the same one. */
  readonly pastVersion: string;
  /** True if the sessions that have ended are left out, because the device has this version of them. */
  readonly isPastKnown: boolean;
}

/** Describes the sessions for a device. Most of them have ended and change no more, so a device gets them once. */
export function describeSessions(
  all: readonly RemoteSession[],
  knownVersion: string | undefined,
): SentSessions {
  const past = all.filter(({ state }) => state === 'ended');
  const pastVersion = createHash('sha256').update(JSON.stringify(past)).digest('base64url');
  const isPastKnown = pastVersion === knownVersion;
  const sessions = isPastKnown ? all.filter(({ state }) => state !== 'ended') : all;
  return { sessions, pastVersion, isPastKnown };
}
