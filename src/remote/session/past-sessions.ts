import type { RemoteEntry } from '../../api/remote-entry.js';
import type { RemoteSession } from '../../api/remote-session.js';
import type { SessionInfo } from '../../api/session-list.js';
import { getMessages } from '../../sessions/list/get-messages.js';
import { listSessions } from '../../sessions/list/list-sessions.js';
import { mapFileMessage } from './file-entries.js';
import { NO_CAPABILITIES } from './no-capabilities.js';

const PREFIX = 'past-';
const MOST_SESSIONS = 200;
const FRESH_MS = 5_000;

/** Sessions of the CLI that no driver leads: their files are read when a device asks for them. */
export class PastSessions {
  readonly #geminiHome: string | undefined;
  #listed: readonly SessionInfo[] = [];
  #listedAtMs = Number.NEGATIVE_INFINITY;

  constructor(geminiHome: string | undefined) {
    this.#geminiHome = geminiHome;
  }

  /** Id of a session of the CLI in the list of the server. */
  static idOf(cliSessionId: string): string {
    return PREFIX + cliSessionId;
  }

  /** Reads the list again if it is older than a few seconds. */
  async refresh(): Promise<void> {
    const now = performance.now();
    if (now - this.#listedAtMs < FRESH_MS) return;
    this.#listedAtMs = now;
    this.#listed = await listSessions({ geminiHome: this.#geminiHome, limit: MOST_SESSIONS });
  }

  /** Returns the sessions that are not among the known ones. */
  list(knownCliIds: ReadonlySet<string>): readonly RemoteSession[] {
    return this.#listed.filter(({ id }) => !knownCliIds.has(id)).map(describe);
  }

  find(id: string): SessionInfo | undefined {
    return this.#listed.find((info) => PastSessions.idOf(info.id) === id);
  }

  /** Returns the entries of a session, made of its file. */
  async entries({ file }: SessionInfo): Promise<readonly RemoteEntry[]> {
    const messages = await getMessages(file);
    return messages
      .flatMap((message) => {
        const at = new Date(message.timestamp ?? 0).toISOString();
        return mapFileMessage(message).map((content) => ({ at, content, source: 'file' as const }));
      })
      .map((entry, index) => ({ ...entry, seq: index + 1 }));
  }
}

function describe(info: SessionInfo): RemoteSession {
  const { id, projectDir, startedAt, updatedAt, firstPrompt, summary, model, tokens } = info;
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
    tokens: tokens?.total,
    capabilities: { ...NO_CAPABILITIES, takeOver: canResume },
    notes: canResume ? [] : ['The CLI cannot resume this session.'],
    openRequests: 0,
    lastSeq: 0,
    startedAt: startedAt ?? updatedAt,
    updatedAt,
  };
}
