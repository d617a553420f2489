import type { AgentPool } from './agent-pool.js';
import { createGeminiLaunch } from './gemini-launch.js';
import { geminiProfile } from './gemini-profile.js';
import { createAcpTransport } from './acp-transport.js';
import type { OpenConversation } from '../transport.js';

/** `gemini --acp`, kept warm. */
export function createGeminiAcpTransport(pool: AgentPool): OpenConversation {
  return createAcpTransport({
    pool,
    profile: geminiProfile,
    createLaunch: (stage, prompt, systemPrompt) =>
      createGeminiLaunch({
        cli: stage.cli.location,
        cliVersion: stage.cli.version,
        config: stage.config,
        includeDirectories: [...stage.includeDirectories, ...prompt.moreDirectories],
        workingDir: stage.workingDir,
        env: stage.env,
        systemPrompt,
      }),
  });
}
