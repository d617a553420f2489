import { resolve } from 'node:path';
import type { Logger } from '../api/logger.js';
import type { GenerateContext } from '../api/response-provider.js';
import { createRedactor, type Redactor } from '../base/errors/redact.js';
import type { Environment } from '../base/process/environment.js';
import { NO_ISOLATION, resolveIsolation, type TreeIsolation } from '../base/process/isolation.js';
import { parseTraceparent, type TracePosition } from '../base/text/traceparent.js';
import { invalidConfig } from '../config/config-problem.js';
import { findMissingDirectories } from '../config/directories.js';
import { createRedactingLogger } from '../config/logging.js';
import type { ResolvedConfig } from '../config/resolve-config.js';
import { createAgentEnvironment } from './gemini/agent-environment.js';
import { assertReadableSettings } from './gemini/assert-readable-settings.js';
import { type CheckedCli, checkCli } from './gemini/check-cli.js';
import { type CliSettings, readCliSettings } from './gemini/cli-settings.js';
import { findStepSecrets } from './step-secrets.js';
import { resolveWorkingDir } from './working-dir.js';

/** Input of one `generate()`, before paths, environment and CLI are resolved. */
export interface StepRequest {
  readonly generationId: string;
  readonly config: ResolvedConfig;
  readonly context: GenerateContext;
  readonly signal?: AbortSignal | undefined;
}

/** Everything about a step that is known before a process starts. */
export interface ResolvedStep {
  /** Id of this `generate()`, and the tag by which its processes are found. */
  readonly generationId: string;
  readonly env: Readonly<Record<string, string>>;
  readonly config: ResolvedConfig;
  readonly workingDir: string;
  /** Absolute paths of `config.includeDirectories`. */
  readonly includeDirectories: readonly string[];
  /** Working directory and included directories, as absolute paths. */
  readonly workspaceDirs: readonly string[];
  /** Means that hold the processes of the step together. */
  readonly isolation: TreeIsolation;
  readonly redactor: Redactor;
  /** Logger that adds the `generationId` to each line. */
  readonly logger: Logger;
  /** Logger without a `generationId`, for lines about a process that serves many steps. */
  readonly processLogger: Logger;
  /** Throws if the file system of the workspace does not answer. Absent for local disks, which always do. */
  readonly assertReachable?: (() => Promise<void>) | undefined;
  readonly cli: CheckedCli;
  /** Home folder of the Gemini CLI, with its session files; undefined for another agent. */
  readonly geminiHome: string | undefined;
  /** Effects of the CLI's own settings on the step; undefined for another agent. */
  readonly cliSettings: CliSettings | undefined;
}

/** Resolves paths, environment and settings of a step, then finds and checks the CLI. Writes nothing. Throws a `ProviderError`. */
export async function resolveStep(
  request: StepRequest,
  environment: Environment,
): Promise<ResolvedStep> {
  const { config, signal } = request;
  const { geminiHome, ...resolved } = resolveEnvironment(request, environment);
  const { workingDir, env } = resolved;
  assertReadableSettings(geminiHome, workingDir);
  const cliSettings = readCliSettings({ env, geminiHome, workingDir });
  const cli = await checkCli({ config, workingDir, environment, env, signal });
  const isolation = await resolveIsolation(config.processIsolation);
  return { ...resolved, geminiHome, cliSettings, cli, isolation };
}

/** Resolves a step for an agent that is not the Gemini CLI. */
export function resolveAgentStep(
  request: StepRequest,
  environment: Environment,
  cli: CheckedCli,
  isolation: TreeIsolation = NO_ISOLATION,
): ResolvedStep {
  const resolved = resolveEnvironment(request, environment);
  return { ...resolved, geminiHome: undefined, cliSettings: undefined, cli, isolation };
}

/** Resolves the part of a step that does not depend on the agent. */
function resolveEnvironment(
  { generationId, config, context }: StepRequest,
  environment: Environment,
): Omit<ResolvedStep, 'cli' | 'cliSettings' | 'isolation'> & { readonly geminiHome: string } {
  const workingDir = resolveWorkingDir(config, context);
  const missing = findMissingDirectories(config, workingDir);
  if (missing.length > 0) throw invalidConfig(missing);
  const includeDirectories = config.includeDirectories.map((dir) => resolve(workingDir, dir));
  const { env, geminiHome } = createAgentEnvironment(
    config,
    environment,
    generationId,
    findTrace(config, context),
  );
  const redactor = createRedactor(findStepSecrets(config, env, environment));
  return {
    generationId,
    env,
    geminiHome,
    config,
    workingDir,
    includeDirectories,
    workspaceDirs: [workingDir, ...includeDirectories],
    redactor,
    logger: createRedactingLogger(config.logger, redactor, { generationId }),
    processLogger: createRedactingLogger(config.logger, redactor),
  };
}

/** Returns the position in the trace that the CLI is told. The environment of a warm process serves many steps. */
function findTrace(
  { transport }: ResolvedConfig,
  { traceCli, traceparent }: GenerateContext,
): TracePosition | undefined {
  return transport === 'headless' && traceCli === true ? parseTraceparent(traceparent) : undefined;
}
