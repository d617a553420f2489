import { randomUUID } from 'node:crypto';
import type { Environment } from '../../base/process/environment.js';
import type { ResolvedConfig } from '../../config/resolve-config.js';
import { geminiHomeOf } from '../../sessions/files/gemini-home.js';
import { buildChildEnvironment } from './child-environment.js';

export interface AgentEnvironment {
  readonly generationId: string;
  /** What the CLI will be started with. */
  readonly env: Readonly<Record<string, string>>;
  /** The home that the CLI will find there. */
  readonly geminiHome: string;
}

/** The surroundings of the CLI in one run, whether or not there is a CLI. */
export function createAgentEnvironment(
  config: Pick<ResolvedConfig, 'inheritEnv' | 'env' | 'trustWorkspace' | 'sandbox'>,
  environment: Environment,
): AgentEnvironment {
  const generationId = randomUUID();
  const env = buildChildEnvironment({
    parent: environment,
    inheritAll: config.inheritEnv,
    additions: config.env,
    settings: settingsOf(config),
    processTag: generationId,
  });
  return { generationId, env, geminiHome: geminiHomeOf(env) };
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
