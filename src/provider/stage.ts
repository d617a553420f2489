import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { invalidConfig } from '../config/config-problem.js';
import { findMissingDirectories } from '../config/directories.js';
import type { Environment } from '../config/environment.js';
import { createRedactingLogger } from '../config/logging.js';
import type { ResolvedConfig } from '../config/resolve-config.js';
import type { Logger } from '../contract/logger.js';
import type { GenerateContext } from '../contract/response-provider.js';
import { createRedactor, type Redactor, secretsOf } from '../errors/redact.js';
import { buildChildEnvironment } from '../process/child-environment.js';
import { geminiHomeOf } from '../session/gemini-home.js';
import { type CheckedCli, checkCli } from './check-cli.js';
import { resolveWorkingDir } from './working-dir.js';

/** Everything about a run that is settled before anything starts. */
export interface Stage {
  readonly runId: string;
  readonly config: ResolvedConfig;
  readonly workingDir: string;
  /** Absolute. */
  readonly includeDirectories: readonly string[];
  /** The working directory and the included ones. */
  readonly workspaceDirs: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly geminiHome: string;
  readonly cli: CheckedCli;
  readonly redactor: Redactor;
  readonly logger: Logger;
}

/** Checks what can be checked without the CLI, and finds it. Throws a `ProviderError`. */
export async function setStage(
  config: ResolvedConfig,
  context: GenerateContext,
  environment: Environment,
  signal?: AbortSignal,
): Promise<Stage> {
  const workingDir = resolveWorkingDir(config, context);
  const missing = findMissingDirectories(config, workingDir);
  if (missing.length > 0) throw invalidConfig(missing);
  const includeDirectories = config.includeDirectories.map((dir) => resolve(workingDir, dir));
  const runId = randomUUID();
  const env = buildChildEnvironment({
    parent: environment,
    inheritAll: config.inheritEnv,
    additions: config.env,
    settings: settingsOf(config),
    runId,
  });
  const redactor = createRedactor(secretsOf(env));
  return {
    runId,
    config,
    workingDir,
    includeDirectories,
    workspaceDirs: [workingDir, ...includeDirectories],
    env,
    geminiHome: geminiHomeOf(env),
    cli: await checkCli({ config, workingDir, environment, env, signal }),
    redactor,
    logger: createRedactingLogger(config.logger, redactor),
  };
}

/** Off means off, also where our own environment says otherwise; `env` may still ask for it by name. */
function settingsOf({
  trustWorkspace,
  sandbox,
}: ResolvedConfig): Record<string, string | undefined> {
  return {
    GEMINI_CLI_TRUST_WORKSPACE: trustWorkspace ? 'true' : undefined,
    // `true` leaves the choice of the command to the CLI, and so to its variable.
    ...(sandbox === true ? {} : { GEMINI_SANDBOX: sandbox === false ? undefined : sandbox }),
  };
}
