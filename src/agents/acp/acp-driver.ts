import { readFile } from 'node:fs/promises';
import type { OpenAgentSession, PreparedPrompt, TurnRequest } from '../driver.js';
import type { ResolvedStep } from '../resolve-step.js';
import type { AcpRequest } from './acp-request.js';
import { AcpSession } from './acp-session.js';
import type { AgentPool } from './agent-pool.js';
import { createGeminiLaunch } from './gemini-launch.js';
import { geminiProfile } from './gemini-profile.js';
import type { Launch } from './launch.js';
import type { AgentProfile } from './profile.js';
import { beginResume } from './resume-session.js';

export interface AcpDriverOptions {
  readonly pool: AgentPool;
  readonly profile: AgentProfile;
  /** Describes how the agent is started for this step. */
  createLaunch(
    resolved: ResolvedStep,
    prompt: PreparedPrompt,
    systemPrompt: string | undefined,
  ): Launch;
}

/** Creates a driver that runs steps on warm agent processes of a pool. */
export function createAcpDriver(options: AcpDriverOptions): OpenAgentSession {
  return (resolved, signal = new AbortController().signal) => {
    let session: AcpSession | undefined;
    return {
      canContinue: () => session?.isHeld ?? false,
      close: () => session?.close(),
      prompt: async function* (turn) {
        session ??= new AcpSession(await createRequest(options, resolved, turn, signal));
        return yield* session.prompt(turn);
      },
    };
  };
}

/** Creates a driver that keeps processes of `gemini --acp` warm. */
export function createGeminiAcpDriver(pool: AgentPool): OpenAgentSession {
  return createAcpDriver({
    pool,
    profile: geminiProfile,
    createLaunch: (resolved, prompt, systemPrompt) =>
      createGeminiLaunch({
        cli: resolved.cli.location,
        cliVersion: resolved.cli.version,
        config: resolved.config,
        includeDirectories: [...resolved.includeDirectories, ...prompt.moreDirectories],
        workingDir: resolved.workingDir,
        env: resolved.env,
        systemPrompt,
        geminiHome: resolved.geminiHome,
        isolation: resolved.isolation,
      }),
  });
}

async function createRequest(
  { pool, profile, createLaunch }: AcpDriverOptions,
  resolved: ResolvedStep,
  { prompt, directory }: TurnRequest,
  signal: AbortSignal,
): Promise<AcpRequest> {
  const { systemPromptFile: file } = prompt;
  const systemPrompt = file === undefined ? undefined : await readFile(file, 'utf8');
  const resumed = await beginResume(resolved, directory, signal);
  const launch = createLaunch(resolved, prompt, systemPrompt);
  return { resolved, pool, launch, profile, resumed, signal };
}
