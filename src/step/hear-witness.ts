import { type RunWitness, readRunWitness } from '../sessions/files/run-witness.js';
import type { Stage } from '../agents/stage.js';

/** A witness that cannot be read is no reason to lose the run. */
export async function hearWitness(
  { geminiHome, workingDir: projectDir, logger }: Stage,
  sessionId: string | undefined,
  sinceMs: number,
): Promise<RunWitness | undefined> {
  if (sessionId === undefined || geminiHome === undefined) return undefined;
  try {
    return await readRunWitness({ geminiHome, sessionId, projectDir, sinceMs });
  } catch (error) {
    logger.warn({ error: String(error), sessionId }, 'the session file cannot be read');
    return undefined;
  }
}
