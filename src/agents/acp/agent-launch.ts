import { createHash } from 'node:crypto';
import { PROCESS_TAG_VARIABLE } from '../../base/process/process-tree.js';
import type { Capabilities, Launch } from './launch.js';

export interface AgentLaunchRequest {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly authMethod: string | undefined;
  readonly workingDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly capabilities: Capabilities;
}

/** Any agent, started in the folder it is to work in: not all of them look at that of the session. */
export function createAgentLaunch(request: AgentLaunchRequest): Launch {
  const { name, command, args, authMethod, workingDir, capabilities } = request;
  const { [PROCESS_TAG_VARIABLE]: _, ...env } = request.env;
  const parts = [command, args, authMethod, workingDir, env, capabilities];
  return {
    key: createHash('sha256').update(JSON.stringify(parts)).digest('hex'),
    name,
    command,
    capabilities,
    authMethod,
    build: async (_directory, processId) => {
      return { args, env: { ...env, [PROCESS_TAG_VARIABLE]: processId }, cwd: workingDir };
    },
  };
}
