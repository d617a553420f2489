import type { AgentPool } from '../acp/agent-pool.js';
import { createGeminiLaunch } from '../acp/gemini-launch.js';
import { geminiProfile } from '../acp/gemini-profile.js';
import { createAcpTransport } from './acp-transport.js';
import type { OpenConversation } from './transport.js';

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
