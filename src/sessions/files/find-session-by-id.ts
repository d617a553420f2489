import { basename } from 'node:path';
import { type FoundSession, isBetter, readSessions } from './found-session.js';
import { allProjectFolders, findSlug, projectFolders } from './project-folders.js';
import { type SessionFile, sessionFilesIn } from './session-files.js';

export interface SessionQuery {
  readonly geminiHome: string;
  readonly sessionId: string;
  /** Project that is searched first. */
  readonly projectDir: string;
}

export interface IdMatching {
  /** True if the first eight characters of an id are accepted too. */
  readonly shortIds?: boolean | undefined;
  /** True if files without the id in their name are opened too. Slow: a machine may have thousands of sessions. */
  readonly anyName?: boolean | undefined;
}

/** Number of characters of the id that the CLI puts into the file name. */
const SHORT_ID_LENGTH = 8;

/** Finds the file of a session in the first project that has the session. */
export function findSessionById(
  query: SessionQuery,
  { shortIds = false, anyName = false }: IdMatching = {},
): string | undefined {
  const { geminiHome, sessionId } = query;
  const start = sessionId.slice(0, SHORT_ID_LENGTH);
  const isCandidate = ({ path }: SessionFile) => anyName || basename(path).includes(start);
  for (const folder of foldersToSearch(query)) {
    const files = sessionFilesIn(geminiHome, folder).filter(isCandidate);
    const session = chooseById(readSessions(files), sessionId, shortIds);
    if (session !== undefined) return session.path;
  }
  return undefined;
}

/** Yields the folders one by one: the first is nearly always the right one, and listing the others takes time. */
function* foldersToSearch({ geminiHome, projectDir }: SessionQuery): Generator<string, void> {
  const slug = findSlug({ geminiHome, projectDir });
  if (slug !== undefined) yield slug;
  const others = [...projectFolders({ geminiHome, projectDir }), ...allProjectFolders(geminiHome)];
  for (const folder of new Set(others)) if (folder !== slug) yield folder;
}

/** Chooses a session by id. If several files have the id, the CLI has left copies; the fullest one counts. */
export function chooseById(
  sessions: readonly FoundSession[],
  wanted: string,
  shortIds = true,
): FoundSession | undefined {
  const best = sessions.toSorted((a, b) => {
    return isBetter(b.summary, a.summary) ? 1 : isBetter(a.summary, b.summary) ? -1 : 0;
  });
  const exact = best.find(({ summary }) => summary.header.sessionId === wanted);
  if (exact !== undefined || !shortIds) return exact;
  return best.find(({ summary }) => {
    return summary.header.sessionId.slice(0, SHORT_ID_LENGTH) === wanted;
  });
}
