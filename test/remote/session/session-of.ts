import type { RemoteSession } from '../../../src/api/remote-session.js';
import { NO_CAPABILITIES } from '../../../src/remote/session/no-capabilities.js';

/** Returns a session as a device sees it. */
export function sessionOf(changes: Partial<RemoteSession> = {}): RemoteSession {
  return {
    ...{ id: 's', driver: 'acp', state: 'ready', folder: '/', modes: [], models: [], notes: [] },
    ...{ capabilities: NO_CAPABILITIES, openRequests: 0, lastSeq: 0 },
    ...{ startedAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' },
    ...changes,
  };
}
