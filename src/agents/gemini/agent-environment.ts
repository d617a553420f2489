import type { Environment } from '../../base/process/environment.js';
import type { ResolvedConfig } from '../../config/resolve-config.js';
import { geminiHomeOf } from '../../sessions/files/gemini-home.js';
import { buildChildEnvironment } from './child-environment.js';

export interface AgentEnvironment {
  /** What the CLI will be started with. */
  readonly env: Readonly<Record<string, string>>;
  /** The home that the CLI will find there. */
  readonly geminiHome: string;
}

/** The environment of the CLI in one step, whether or not there is a CLI. Its processes are found by the tag. */
export function createAgentEnvironment(
  config: Pick<ResolvedConfig, 'inheritEnv' | 'env' | 'trustWorkspace' | 'sandbox'>,
  environment: Environment,
  processTag: string,
): AgentEnvironment {
  const env = buildChildEnvironment({
    parent: environment,
    inheritAll: config.inheritEnv,
    additions: config.env,
    settings: settingsOf(config),
    processTag,
  });
  return { env, geminiHome: geminiHomeOf(env) };
}

/** Off means off, also where our own environment says otherwise; `env` may still ask for it by name. */
function settingsOf({
  trustWorkspace,
  sandbox,
}: Pick<ResolvedConfig, 'trustWorkspace' | 'sandbox'>): Record<string, string | undefined> {
  return {
    GEMINI_CLI_TRUST_WORKSPACE: trustWorkspace ? 'true' : undefined,
    // `true` leaves the choice of the command to the CLI, and so to its variable.
    ...(sandbox === true ? {} : { GEMINI_SANDBOX: sandbox === false ? undefined : sandbox }),
  };
}
