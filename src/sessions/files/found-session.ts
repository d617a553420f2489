import type { SessionFile } from './session-files.js';
import { readSessionSummary, type SessionSummary } from './session-summary.js';

/** A session file with its summary. */
export interface FoundSession extends SessionFile {
  readonly summary: SessionSummary;
}

/** Reads the summaries of files. Files that are no sessions are left out. */
export function readSessions(files: readonly SessionFile[]): FoundSession[] {
  return files.flatMap((file) => {
    const summary = readSessionSummary(file.path);
    return summary === undefined ? [] : [{ ...file, summary }];
  });
}

/** True for the session of a sub-agent, found by its folder or by its header. */
export function isSubagent({ parentId, summary }: FoundSession): boolean {
  return parentId !== undefined || summary.header.kind === 'subagent';
}

/**
 * Keeps one file per session, the fullest. A session may have several files: the CLI leaves an empty one at each resume
 * and keeps old files after a change of format or folder.
 */
export function eachOnce(sessions: readonly FoundSession[]): FoundSession[] {
  const byId = new Map<string, FoundSession>();
  for (const session of sessions) {
    const { sessionId } = session.summary.header;
    const known = byId.get(sessionId);
    if (known === undefined || isBetter(session.summary, known.summary))
      byId.set(sessionId, session);
  }
  return [...byId.values()];
}

/** True if the first of two files of a session is to be preferred: a resumable one, then the newer one. */
export function isBetter(summary: SessionSummary, other: SessionSummary): boolean {
  if (summary.isResumable !== other.isResumable) return summary.isResumable;
  return summary.updatedAt > other.updatedAt;
}
