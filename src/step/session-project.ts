import type { ResolvedStep } from '../agents/resolve-step.js';
import { readPath } from '../agents/working-dir.js';
import type { GenerateContext } from '../api/response-provider.js';
import { lendSession } from '../sessions/projects/lend-session.js';
import { beginTemporaryProject } from '../sessions/projects/temporary-project.js';
import type { Step } from './step.js';

/**
 * Prepares a step whose session belongs to another folder than its working directory: to `sessionProject` of the
 * context. A session to resume is copied from there. `settleSession` moves the session of the step there.
 */
export async function openSessionProject(
  resolved: ResolvedStep,
  context: GenerateContext,
): Promise<Pick<Step, 'resolved' | 'settleSession'>> {
  const { geminiHome, workingDir, logger } = resolved;
  const projectDir = readPath(context, 'sessionProject', 'session_project');
  if (projectDir === undefined || geminiHome === undefined) return { resolved };
  // The step itself does not need the project: without it, the session stays where the CLI writes it.
  const warn = (error: unknown): undefined => {
    logger.warn(
      { error: String(error) },
      'The session may stay in the project of the working directory',
    );
  };
  const project = await beginTemporaryProject({ geminiHome, workingDir, projectDir }).catch(warn);
  if (project === undefined) return { resolved };
  return {
    resolved: await lend(resolved, projectDir).catch((error: unknown) => warn(error) ?? resolved),
    settleSession: (isFinal) => project.end(isFinal),
  };
}

/** Copies the session that the step resumes into the project of its working directory. */
async function lend(resolved: ResolvedStep, projectDir: string): Promise<ResolvedStep> {
  const { geminiHome, workingDir, config } = resolved;
  const { resume: wanted } = config;
  if (wanted === undefined || geminiHome === undefined) return resolved;
  const resume = await lendSession({ geminiHome, projectDir, workingDir, wanted });
  return resume === undefined ? resolved : { ...resolved, config: { ...config, resume } };
}
