import type { RemoteSession } from '../../../api/remote-session.js';

/** Part of the first message of a stream that lists sessions. */
export interface ListedSessions {
  readonly sessions: readonly RemoteSession[];
  readonly pastVersion: string;
  readonly isPastKnown: boolean;
}

/** The sessions that have ended, as the server has sent them last. The server leaves them out while they stay the same. */
export class PastList {
  #version: string | undefined;
  #sessions: readonly RemoteSession[] = [];

  get version(): string | undefined {
    return this.#version;
  }

  /** Returns all sessions of a list. */
  complete({ sessions, pastVersion, isPastKnown }: ListedSessions): readonly RemoteSession[] {
    if (isPastKnown) return [...sessions, ...this.#sessions];
    this.#version = pastVersion;
    this.#sessions = sessions.filter(({ state }) => state === 'ended');
    return sessions;
  }
}
