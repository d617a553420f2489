import type { ResolvedStep } from '../agents/resolve-step.js';
import {
  readSessionEvidence,
  type SessionEvidence,
} from '../sessions/files/read-session-evidence.js';

/** A witness that cannot be read is no reason to lose the run. */
export async function hearWitness(
  { geminiHome, workingDir: projectDir, logger }: ResolvedStep,
  sessionId: string | undefined,
  sinceMs: number,
): Promise<SessionEvidence | undefined> {
  if (sessionId === undefined || geminiHome === undefined) return undefined;
  try {
    return await readSessionEvidence({ geminiHome, sessionId, projectDir, sinceMs });
  } catch (error) {
    logger.warn({ error: String(error), sessionId }, 'the session file cannot be read');
    return undefined;
  }
}
