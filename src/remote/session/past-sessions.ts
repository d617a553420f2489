import type { RemoteSession } from '../../api/remote-session.js';
import type { SessionInfo } from '../../api/session-list.js';
import { listSessions } from '../../sessions/list/list-sessions.js';
import { NO_CAPABILITIES } from './no-capabilities.js';
import { PastCounts } from './past-counts.js';
import { PastEntries } from './past-entries.js';

const PREFIX = 'past-';
const MOST_SESSIONS = 200;
const FRESH_MS = 5_000;

/** Sessions of the CLI that no driver leads: their files are read when a device asks for them. */
export class PastSessions {
  readonly entries = new PastEntries();
  readonly #geminiHome: string | undefined;
  readonly #counts = new PastCounts();
  #listed: readonly SessionInfo[] = [];
  #listedAtMs = Number.NEGATIVE_INFINITY;

  constructor(geminiHome: string | undefined) {
    this.#geminiHome = geminiHome;
  }

  /** Id of a session of the CLI in the list of the server. */
  static idOf(cliSessionId: string): string {
    return PREFIX + cliSessionId;
  }

  /**
   * Reads the list again if it is older than a few seconds. Large sessions are counted afterwards.
   *
   * @param onCounted called with each session that was counted
   */
  async refresh(onCounted: (session: RemoteSession) => void): Promise<void> {
    const now = performance.now();
    if (now - this.#listedAtMs < FRESH_MS) return;
    this.#listedAtMs = now;
    this.#listed = await listSessions({ geminiHome: this.#geminiHome, limit: MOST_SESSIONS });
    const report = (info: SessionInfo): void => onCounted(this.describe(info));
    void this.#counts.count(this.#listed, report).catch(() => {});
  }

  /** Returns the sessions that are not among the known ones. */
  list(knownCliIds: ReadonlySet<string>): readonly RemoteSession[] {
    return this.#listed.filter(({ id }) => !knownCliIds.has(id)).map((info) => this.describe(info));
  }

  find(id: string): SessionInfo | undefined {
    return this.#listed.find((info) => PastSessions.idOf(info.id) === id);
  }

  /** Returns a session as a device sees it. */
  describe(info: SessionInfo): RemoteSession {
    const { id, projectDir, startedAt, updatedAt, firstPrompt, summary, model } = info;
    const canResume = projectDir !== undefined && info.number !== undefined;
    return {
      id: PastSessions.idOf(id),
      driver: 'past',
      state: 'ended',
      cliSessionId: id,
      folder: projectDir ?? info.projectName,
      title: firstPrompt ?? summary,
      model,
      modes: [],
      models: [],
      ...this.#counts.find(info),
      capabilities: { ...NO_CAPABILITIES, takeOver: canResume },
      notes: canResume ? [] : ['The CLI cannot resume this session.'],
      openRequests: 0,
      lastSeq: 0,
      startedAt: startedAt ?? updatedAt,
      updatedAt,
    };
  }
}
