import { basename, dirname } from 'node:path';
import { compareText } from '../../base/text/compare-text.js';
import { type ProjectQuery, projectFolders } from '../files/project-folders.js';
import { type SessionFile, sessionFilesIn } from './session-files.js';
import { readSessionSummary, type SessionSummary } from './session-summary.js';

/** A session file and what its ends tell. */
export interface FoundSession extends SessionFile {
  readonly card: SessionSummary;
}

/** Files that are no sessions are left out. */
export function readSessions(files: readonly SessionFile[]): FoundSession[] {
  return files.flatMap((file) => {
    const card = readSessionSummary(file.path);
    return card === undefined ? [] : [{ ...file, card }];
  });
}

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

/**
 * One file for each session, where there are several: the CLI leaves an empty one behind each time it resumes,
 * and keeps the old ones when it changes their form or their folder.
 */
export function eachOnce(sessions: readonly FoundSession[]): FoundSession[] {
  const byId = new Map<string, FoundSession>();
  for (const session of sessions) {
    const { sessionId } = session.card.header;
    const known = byId.get(sessionId);
    if (known === undefined || isBetter(session.card, known.card)) byId.set(sessionId, session);
  }
  return [...byId.values()];
}

/** Whether a file has more to say than another one of the same session. */
export function isBetter(card: SessionSummary, other: SessionSummary): boolean {
  if (card.isResumable !== other.isResumable) return card.isResumable;
  return card.updatedAt > other.updatedAt;
}

function isNumbered({ path, parentId, card }: FoundSession): boolean {
  const isMain = parentId === undefined && card.header.kind !== 'subagent';
  const isNamed = basename(path).startsWith('session-') && basename(dirname(path)) === 'chats';
  return isMain && isNamed && card.isResumable;
}

function startOf({ card }: FoundSession): string {
  return card.startedAt ?? card.updatedAt;
}
