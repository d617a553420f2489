import type { SessionFile } from './session-files.js';
import { readSessionSummary, type SessionSummary } from './session-summary.js';

/** A session file and what its ends tell. */
export interface FoundSession extends SessionFile {
  readonly summary: SessionSummary;
}

/** Files that are no sessions are left out. */
export function readSessions(files: readonly SessionFile[]): FoundSession[] {
  return files.flatMap((file) => {
    const summary = readSessionSummary(file.path);
    return summary === undefined ? [] : [{ ...file, summary }];
  });
}

/**
 * One file for each session, where there are several: the CLI leaves an empty one behind each time it resumes,
 * and keeps the old ones when it changes their form or their folder.
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

/** Whether a file has more to say than another one of the same session. */
export function isBetter(summary: SessionSummary, other: SessionSummary): boolean {
  if (summary.isResumable !== other.isResumable) return summary.isResumable;
  return summary.updatedAt > other.updatedAt;
}
