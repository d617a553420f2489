import { resolve } from 'node:path';
import type { Logger } from '../api/logger.js';
import type { GenerateContext } from '../api/response-provider.js';
import { createRedactor, type Redactor, secretsOf } from '../base/errors/redact.js';
import type { Environment } from '../base/process/environment.js';
import { invalidConfig } from '../config/config-problem.js';
import { findMissingDirectories } from '../config/directories.js';
import { createRedactingLogger } from '../config/logging.js';
import type { ResolvedConfig } from '../config/resolve-config.js';
import { createAgentEnvironment } from './gemini/agent-environment.js';
import { type CheckedCli, checkCli } from './gemini/check-cli.js';
import { type CliSettings, readCliSettings } from './gemini/cli-settings.js';
import { withCompileCache } from './gemini/compile-cache.js';
import { resolveWorkingDir } from './working-dir.js';

/** Everything about a run that is settled before anything starts. */
export interface ResolvedStep extends StepEnvironment {
  readonly cli: CheckedCli;
  /** The home of the Gemini CLI, whose session files are a second witness; other agents have none. */
  readonly geminiHome: string | undefined;
  /** What the CLI's own settings mean for the run; undefined for another agent. */
  readonly cliSettings: CliSettings | undefined;
}

/** What does not depend on the agent. */
export interface StepEnvironment {
  readonly generationId: string;
  readonly env: Readonly<Record<string, string>>;
  readonly config: ResolvedConfig;
  readonly workingDir: string;
  /** Absolute. */
  readonly includeDirectories: readonly string[];
  /** The working directory and the included ones. */
  readonly workspaceDirs: readonly string[];
  readonly redactor: Redactor;
  readonly logger: Logger;
}

/** Checks what can be checked without the CLI, and finds it. Throws a `ProviderError`. */
export async function resolveStep(
  config: ResolvedConfig,
  context: GenerateContext,
  environment: Environment,
  signal?: AbortSignal,
): Promise<ResolvedStep> {
  const { geminiHome, ...surroundings } = describeSurroundings(config, context, environment);
  const { workingDir, env } = surroundings;
  const cliSettings = readCliSettings({ env, geminiHome, workingDir });
  const cli = await checkCli({ config, workingDir, environment, env, signal });
  const step = { ...surroundings, geminiHome, cliSettings, cli };
  return config.compileCache ? withCompileCache(step, environment) : step;
}

/** The same for an agent that is not the Gemini CLI. */
export function resolveAgentStep(
  config: ResolvedConfig,
  context: GenerateContext,
  environment: Environment,
  cli: CheckedCli,
): ResolvedStep {
  const { geminiHome: _, ...surroundings } = describeSurroundings(config, context, environment);
  return { ...surroundings, geminiHome: undefined, cliSettings: undefined, cli };
}

function describeSurroundings(
  config: ResolvedConfig,
  context: GenerateContext,
  environment: Environment,
): StepEnvironment & { readonly geminiHome: string } {
  const workingDir = resolveWorkingDir(config, context);
  const missing = findMissingDirectories(config, workingDir);
  if (missing.length > 0) throw invalidConfig(missing);
  const includeDirectories = config.includeDirectories.map((dir) => resolve(workingDir, dir));
  const { generationId, env, geminiHome } = createAgentEnvironment(config, environment);
  const redactor = createRedactor(secretsOf(env));
  return {
    generationId,
    env,
    geminiHome,
    config,
    workingDir,
    includeDirectories,
    workspaceDirs: [workingDir, ...includeDirectories],
    redactor,
    logger: createRedactingLogger(config.logger, redactor),
  };
}
