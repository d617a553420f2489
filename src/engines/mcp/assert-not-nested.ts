import { ProviderError } from '../../base/errors/provider-error.js';
import type { Environment } from '../../base/process/environment.js';
import { PROCESS_TAG_VARIABLE } from '../../base/process/process-tree.js';

/**
 * Throws if an agent of this package has started this process. The Gemini CLI may have this server in its own settings:
 * every step would start a server, whose steps would start servers.
 */
export function assertNotNested(environment: Environment): void {
  if (environment[PROCESS_TAG_VARIABLE] === undefined) return;
  throw new ProviderError({
    code: 'INVALID_CONFIG',
    message: 'An agent that gemini-cli-provider runs has started this MCP server',
    hint: 'Nothing is to be done: agents do not delegate to further agents. To avoid the start, remove the server from the settings of the Gemini CLI that the steps use.',
  });
}
