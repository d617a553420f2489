import { expect, onTestFinished } from 'vitest';
import { ProviderError } from '../../src/base/errors/provider-error.js';
import type { AcpAgentConfig } from '../../src/config/agent-config.js';
import { AcpAgentProvider } from '../../src/step/acp-agent-provider.js';
import { failureOf, makeFolder, type OnFinished, program } from '../fixtures/cli/support.js';

/** Creates a provider with the tiny agent in a folder of its own. `start` selects how the agent starts. */
export function openAgent(
  config: Partial<AcpAgentConfig> = {},
  start = '',
  onFinished: OnFinished = onTestFinished,
) {
  const workingDir = makeFolder({}, onFinished);
  const provider = new AcpAgentProvider({
    command: program('acp-agent.mjs'),
    name: 'Tiny',
    workingDir,
    env: { START: start },
    ...config,
  });
  onFinished(() => provider.dispose());
  const generate = (prompt: string, options = {}) => provider.generate(prompt, {}, options);
  const fail = async (prompt: string, options = {}) => {
    const error = await failureOf(() => generate(prompt, options));
    expect(error).toBeInstanceOf(ProviderError);
    return error;
  };
  return { provider, workingDir, generate, fail };
}
