import type { TreeIsolation } from '../../base/process/isolation.js';
import {
  type Capabilities,
  createLaunchKey,
  type Launch,
  withoutProcessTag,
  withProcessTag,
} from './launch.js';

export interface AgentLaunchRequest {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly authMethod: string | undefined;
  readonly workingDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly capabilities: Capabilities;
  readonly isolation?: TreeIsolation | undefined;
}

/**
 * Creates the launch of any ACP agent. The process is started in the working directory of the step, because some
 * agents ignore the `cwd` of the session.
 */
export function createAgentLaunch(request: AgentLaunchRequest): Launch {
  const { name, command, args, authMethod, workingDir, capabilities, isolation } = request;
  const env = withoutProcessTag(request.env);
  return {
    key: createLaunchKey([
      ...[command, args, authMethod, workingDir, env, capabilities],
      isolation?.means,
    ]),
    name,
    command,
    capabilities,
    isolation,
    authMethod,
    build: async (_directory, processId) => {
      return { args, env: withProcessTag(env, processId), cwd: workingDir };
    },
  };
}
