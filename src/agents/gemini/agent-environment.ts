import type { Environment } from '../../base/process/environment.js';
import type { ResolvedConfig } from '../../config/resolve-config.js';
import { geminiHomeOf } from '../../sessions/files/gemini-home.js';
import { buildChildEnvironment } from './child-environment.js';

export interface AgentEnvironment {
  /** Environment variables of the CLI process. */
  readonly env: Readonly<Record<string, string>>;
  /** Home folder that the CLI derives from these variables. */
  readonly geminiHome: string;
}

/** Builds the environment of the CLI for one step. The tag in it lets the provider find the CLI's processes. */
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

/** Removes an inherited variable if its option is off. The caller can still set the variable through `env`. */
function settingsOf({
  trustWorkspace,
  sandbox,
}: Pick<ResolvedConfig, 'trustWorkspace' | 'sandbox'>): Record<string, string | undefined> {
  return {
    GEMINI_CLI_TRUST_WORKSPACE: trustWorkspace ? 'true' : undefined,
    // With `true` the CLI chooses the sandbox command, so an inherited GEMINI_SANDBOX stays.
    ...(sandbox === true ? {} : { GEMINI_SANDBOX: sandbox === false ? undefined : sandbox }),
  };
}
