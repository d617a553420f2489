import { basename, dirname } from 'node:path';
import { type ProjectQuery, projectFolders } from '../session/project-folders.js';
import { readSessionCard, type SessionCard } from './session-card.js';
import { type SessionFile, sessionFilesIn } from './session-files.js';

/** A session file and what its ends tell. */
export interface FoundSession extends SessionFile {
  readonly card: SessionCard;
}

/** Files that are no sessions are left out. */
export function readSessions(files: readonly SessionFile[]): FoundSession[] {
  return files.flatMap((file) => {
    const card = readSessionCard(file.path);
    return card === undefined ? [] : [{ ...file, card }];
  });
}

/**
 * The sessions of a project that the CLI can resume, oldest first, as it numbers them from 1 on: those in
 * which somebody has said something, each once, sub-agents left out.
 */
export function numberSessions(sessions: readonly FoundSession[]): FoundSession[] {
  const byId = new Map<string, FoundSession>();
  for (const session of sessions.filter(isResumable)) {
    const known = byId.get(session.card.header.sessionId);
    if (known === undefined || known.card.updatedAt < session.card.updatedAt) {
      byId.set(session.card.header.sessionId, session);
    }
  }
  return [...byId.values()].sort((a, b) => compare(startOf(a), startOf(b)));
}

export function numberedSessions(query: ProjectQuery): FoundSession[] {
  const [folder] = projectFolders(query);
  return folder === undefined
    ? []
    : numberSessions(readSessions(sessionFilesIn(query.geminiHome, folder)));
}

function isResumable({ path, parentId, card }: FoundSession): boolean {
  const isMain = parentId === undefined && card.header.kind !== 'subagent';
  const isNamed = basename(path).startsWith('session-') && basename(dirname(path)) === 'chats';
  return isMain && isNamed && card.firstPrompt !== undefined;
}

function startOf({ card }: FoundSession): string {
  return card.header.startTime ?? card.updatedAt;
}

export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
