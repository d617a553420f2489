import { ProviderError } from '../../base/errors/provider-error.js';
import type { Environment } from '../../base/process/environment.js';
import type { ResolvedConfig } from '../../config/resolve-config.js';
import { isAtLeast, OLDEST_CLI } from './cli-features.js';
import { readCliVersion } from './cli-version.js';
import { type CliLocation, findCli } from './find-cli.js';

export interface CheckedCli {
  readonly location: CliLocation;
  /** Undefined if the CLI did not report a version. */
  readonly version: string | undefined;
}

export interface CliCheck {
  readonly config: Pick<ResolvedConfig, 'cliPath'>;
  readonly workingDir: string;
  readonly environment: Environment;
  /** Environment variables of the CLI process. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** Finds the CLI. Throws if its version is too old for machine-readable output. */
export async function checkCli({
  config,
  workingDir,
  environment,
  env,
  signal,
}: CliCheck): Promise<CheckedCli> {
  const location = findCli({ cliPath: config.cliPath, workingDir, env: environment });
  const version = await readCliVersion(location, env, signal);
  if (version !== undefined && !isAtLeast(version, OLDEST_CLI)) {
    throw new ProviderError({
      code: 'CLI_NOT_FOUND',
      message: `The CLI at ${location.path} has version ${version}, which is too old`,
      hint: `Install @google/gemini-cli ${OLDEST_CLI} or newer.`,
    });
  }
  return { location, version };
}
