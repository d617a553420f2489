import { rmSync } from 'node:fs';
import { findSessionById } from '../../sessions/files/find-session-by-id.js';
import { readSessionSummary } from '../../sessions/files/session-summary.js';
import type { ResolvedStep } from '../resolve-step.js';

/** Session that was created ahead and that no step has taken. */
export interface UnusedSession {
  readonly id: string;
  /** Working directory of the session. */
  readonly cwd: string;
}

/**
 * Removes the files of sessions that no step has used: lists of sessions would show them without a prompt. The CLI must have
 * ended. A session with a turn in it is never removed.
 */
export function removeUnusedSessions(geminiHome: string, sessions: readonly UnusedSession[]): void {
  for (const { id, cwd } of sessions) {
    const file = findSessionById({ geminiHome, sessionId: id, projectDir: cwd });
    if (file === undefined || hasTurn(file)) continue;
    rmSync(file, { force: true });
  }
}

/** True if the session file of the CLI has a prompt. False without a session file, as for other agents. */
export function hasRecordedPrompt(
  { geminiHome, workingDir: projectDir }: Pick<ResolvedStep, 'geminiHome' | 'workingDir'>,
  sessionId: string | undefined,
): boolean {
  if (geminiHome === undefined || sessionId === undefined) return false;
  const file = findSessionById({ geminiHome, sessionId, projectDir });
  return file !== undefined && hasTurn(file);
}

/** True if a session file has a prompt, or cannot be read. */
function hasTurn(file: string): boolean {
  const summary = readSessionSummary(file);
  return summary === undefined || summary.isResumable || summary.firstPrompt !== undefined;
}
