import type { DetectCliOptions } from '../../api/capabilities.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { readEnvironment } from '../../base/process/environment.js';
import { acceptConfig } from '../../config/accept-config.js';
import { acceptCapabilitiesOptions } from './accept-capabilities-options.js';
import { findCli } from './find-cli.js';

/**
 * Returns the path of the Gemini CLI, searched as a step searches it, or null if there is none that can be started. Starts
 * no process: whether its version can be used, `getCapabilities()` and `diagnose()` tell.
 */
export function detectCli(options: DetectCliOptions = {}): string | null {
  const { config } = acceptConfig(acceptCapabilitiesOptions(options, 'detectCli'));
  const { cliPath, workingDir = process.cwd() } = config;
  try {
    return findCli({ cliPath, workingDir, env: readEnvironment() }).path;
  } catch (error) {
    if (ProviderError.isInstance(error) && error.code === 'CLI_NOT_FOUND') return null;
    throw error;
  }
}
