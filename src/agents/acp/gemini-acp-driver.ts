import type { OpenAgentSession } from '../driver.js';
import { createAcpDriver } from './acp-driver.js';
import type { AgentPool } from './agent-pool.js';
import { createGeminiLaunch } from './gemini-launch.js';
import { geminiProfile } from './gemini-profile.js';

/** `gemini --acp`, kept warm. */
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
      }),
  });
}
