import type { ResolvedConfig } from '../../config/resolve-config.js';
import { renderToolRule } from '../../config/tool-rule.js';
import type { CliFeatures } from './cli-features.js';

export interface SharedFlagsRequest {
  readonly config: Pick<ResolvedConfig, 'sandbox' | 'allowedTools'>;
  readonly features: Pick<CliFeatures, 'policy'>;
  /** Absolute paths. */
  readonly includeDirectories: readonly string[];
}

/**
 * Builds the flags that a headless CLI and `gemini --acp` have in common. Values are bound with `=`, because the CLI's
 * parser takes a separate value that starts with `-` for a flag. A CLI without `--policy` gets `allowedTools` as flags.
 */
export function buildSharedFlags(request: SharedFlagsRequest): string[] {
  const { config, features, includeDirectories } = request;
  const allowedTools = features.policy ? [] : config.allowedTools;
  return [
    ...(config.sandbox === true ? ['--sandbox'] : []),
    ...includeDirectories.map((directory) => `--include-directories=${directory}`),
    ...allowedTools.map((rule) => `--allowed-tools=${renderToolRule(rule)}`),
  ];
}
