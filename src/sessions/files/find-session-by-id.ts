import { basename } from 'node:path';
import { type FoundSession, isBetter, readSessions } from './found-session.js';
import { allProjectFolders, findSlug, projectFolders } from './project-folders.js';
import { mainSessionFilesIn, type SessionFile } from './session-files.js';
import { readSessionId } from './session-head.js';

export interface SessionQuery {
  readonly geminiHome: string;
  readonly sessionId: string;
  /** Project that is searched first. */
  readonly projectDir: string;
}

/** Number of characters of the id that the CLI puts into the file name. */
const SHORT_ID_LENGTH = 8;

/** Finds the file of a session that is no sub-agent, by its whole id, in the first project that has the session. */
export function findSessionById(query: SessionQuery): string | undefined {
  const { geminiHome, sessionId } = query;
  for (const folder of foldersToSearch(query)) {
    const files = mainSessionFilesIn(geminiHome, folder).filter((file) => {
      return hasIdInName(file, sessionId) && readSessionId(file.path) === sessionId;
    });
    const [first, ...others] = files;
    // Every turn of a step searches its file, and a summary takes longer to read than the id.
    if (first !== undefined && others.length === 0) return first.path;
    const session = chooseById(readSessions(files), sessionId, false);
    if (session !== undefined) return session.path;
  }
  return undefined;
}

/** True if the name of the file contains the part of the id that the CLI puts there. */
export function hasIdInName({ path }: SessionFile, sessionId: string): boolean {
  return basename(path).includes(sessionId.slice(0, SHORT_ID_LENGTH));
}

/** Yields the folders one by one: the first is nearly always the right one, and listing the others takes time. */
export function* foldersToSearch({
  geminiHome,
  projectDir,
}: SessionQuery): Generator<string, void> {
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
