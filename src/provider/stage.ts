import { resolve } from 'node:path';
import { invalidConfig } from '../config/config-problem.js';
import { findMissingDirectories } from '../config/directories.js';
import type { Environment } from '../config/environment.js';
import { createRedactingLogger } from '../config/logging.js';
import type { ResolvedConfig } from '../config/resolve-config.js';
import type { Logger } from '../contract/logger.js';
import type { GenerateContext } from '../contract/response-provider.js';
import { createRedactor, type Redactor, secretsOf } from '../errors/redact.js';
import { type CliSettings, readCliSettings } from '../settings/cli-settings.js';
import { type CheckedCli, checkCli } from './check-cli.js';
import { createRunEnvironment, type RunEnvironment } from './run-environment.js';
import { resolveWorkingDir } from './working-dir.js';

/** Everything about a run that is settled before anything starts. */
export interface Stage extends RunEnvironment {
  readonly config: ResolvedConfig;
  readonly workingDir: string;
  /** Absolute. */
  readonly includeDirectories: readonly string[];
  /** The working directory and the included ones. */
  readonly workspaceDirs: readonly string[];
  readonly cli: CheckedCli;
  /** What the CLI's own settings mean for the run. */
  readonly cliSettings: CliSettings;
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
  const surroundings = createRunEnvironment(config, environment);
  const { env } = surroundings;
  const redactor = createRedactor(secretsOf(env));
  return {
    ...surroundings,
    config,
    workingDir,
    includeDirectories,
    workspaceDirs: [workingDir, ...includeDirectories],
    cliSettings: readCliSettings({ ...surroundings, workingDir }),
    cli: await checkCli({ config, workingDir, environment, env, signal }),
    redactor,
    logger: createRedactingLogger(config.logger, redactor),
  };
}
