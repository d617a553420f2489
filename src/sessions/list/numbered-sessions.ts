import { basename, dirname } from 'node:path';
import { compareText } from '../../base/text/compare-text.js';
import { eachOnce, type FoundSession, isSubagent, readSessions } from '../files/found-session.js';
import { type ProjectQuery, projectFolders } from '../files/project-folders.js';
import { sessionFilesIn } from '../files/session-files.js';

/**
 * Returns the sessions that the CLI can resume, in the order in which the CLI numbers them from 1: oldest first, each
 * once, without sub-agents and without sessions that have no message of the user or the model.
 */
export function numberSessions(sessions: readonly FoundSession[]): FoundSession[] {
  return eachOnce(sessions.filter(isNumbered)).sort((a, b) => compareText(startOf(a), startOf(b)));
}

/** Reads the numbered sessions of a project. */
export function readNumberedSessions(query: ProjectQuery): FoundSession[] {
  const [folder] = projectFolders(query);
  return folder === undefined
    ? []
    : numberSessions(readSessions(sessionFilesIn(query.geminiHome, folder)));
}

function isNumbered(session: FoundSession): boolean {
  const { path, summary } = session;
  const isNamed = basename(path).startsWith('session-') && basename(dirname(path)) === 'chats';
  return !isSubagent(session) && isNamed && summary.isResumable;
}

function startOf({ summary }: FoundSession): string {
  return summary.startedAt ?? summary.updatedAt;
}

/** Chooses a session by its number or `latest`. The sessions are in the order in which the CLI numbers them. */
export function chooseByNumber(
  sessions: readonly FoundSession[],
  wanted: string,
): FoundSession | undefined {
  if (wanted === 'latest') return sessions.at(-1);
  // A caller may have chosen a number as a session id: an id counts before a number.
  const named = sessions.find(({ summary }) => summary.header.sessionId === wanted);
  return named ?? sessions[Number(wanted) - 1];
}

/** True for a session number or `latest`. */
export function isNumber(wanted: string): boolean {
  return wanted === 'latest' || /^[1-9]\d{0,5}$/.test(wanted);
}
