import { basename, dirname } from 'node:path';
import { compareText } from '../../base/text/compare-text.js';
import { eachOnce, type FoundSession, readSessions } from '../files/found-session.js';
import { type ProjectQuery, projectFolders } from '../files/project-folders.js';
import { sessionFilesIn } from '../files/session-files.js';

/**
 * The sessions of a project that the CLI can resume, oldest first, as it numbers them from 1 on: those in
 * which somebody has said something, each once, sub-agents left out.
 */
export function numberSessions(sessions: readonly FoundSession[]): FoundSession[] {
  return eachOnce(sessions.filter(isNumbered)).sort((a, b) => compareText(startOf(a), startOf(b)));
}

export function numberedSessions(query: ProjectQuery): FoundSession[] {
  const [folder] = projectFolders(query);
  return folder === undefined
    ? []
    : numberSessions(readSessions(sessionFilesIn(query.geminiHome, folder)));
}

function isNumbered({ path, parentId, summary }: FoundSession): boolean {
  const isMain = parentId === undefined && summary.header.kind !== 'subagent';
  const isNamed = basename(path).startsWith('session-') && basename(dirname(path)) === 'chats';
  return isMain && isNamed && summary.isResumable;
}

function startOf({ summary }: FoundSession): string {
  return summary.startedAt ?? summary.updatedAt;
}

/** By `latest` or by its number, among sessions in the order in which the CLI numbers them. */
export function chooseByNumber(
  sessions: readonly FoundSession[],
  wanted: string,
): FoundSession | undefined {
  if (wanted === 'latest') return sessions.at(-1);
  // Somebody may have chosen a number for an id, which then comes first.
  const named = sessions.find(({ summary }) => summary.header.sessionId === wanted);
  return named ?? sessions[Number(wanted) - 1];
}

export function isNumber(wanted: string): boolean {
  return wanted === 'latest' || /^[1-9]\d{0,5}$/.test(wanted);
}
