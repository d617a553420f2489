import { ProviderError } from '../../base/errors/provider-error.js';
import type { ResolvedConfig } from '../../config/resolve-config.js';
import { type CliFeatures, firstVersionWith } from '../gemini/cli-features.js';
import { buildSharedFlags } from '../gemini/shared-flags.js';

export interface ArgumentsRequest {
  readonly config: ResolvedConfig;
  readonly features: CliFeatures;
  readonly includeDirectories: readonly string[];
  readonly policyFile: string | undefined;
}

/**
 * Builds the command line of the CLI, with `=` before each value as in the shared flags. The prompt goes to stdin. Trust goes to a variable: older versions have no flag for it.
 */
export function buildArguments(request: ArgumentsRequest): string[] {
  const { config, features } = request;
  checkFeatures(request);
  const args = [
    `--output-format=${features.streamJson ? 'stream-json' : 'json'}`,
    `--approval-mode=${chooseMode(request)}`,
  ];
  if (config.model !== undefined) args.push(`--model=${config.model}`);
  args.push(...buildSharedFlags(request));
  if (features.policy && request.policyFile !== undefined)
    args.push(`--policy=${request.policyFile}`);
  if (config.resume !== undefined) args.push(`--resume=${config.resume}`);
  // Pass an id only if the caller gives one: `--session-id` makes the CLI search all its sessions, which takes a fifth
  // of a short turn. An id that the CLI chooses itself is in its first event.
  if (config.sessionId !== undefined) args.push(`--session-id=${config.sessionId}`);
  return [...args, ...config.extraArgs];
}

/**
 * Returns the mode of the CLI. The policy file has the permissions of `auto_edit`, so that redirections stay refused. A
 * CLI in a container may not see the policy file and keeps its own mode.
 */
function chooseMode({ config, features, policyFile }: ArgumentsRequest): string {
  const hasRules = features.policy && policyFile !== undefined && config.sandbox === false;
  return config.approvalMode === 'auto_edit' && hasRules ? 'default' : config.approvalMode;
}

/** Throws if the CLI is too old for an option that is set: the CLI would silently ignore the option. */
function checkFeatures({ config, features }: ArgumentsRequest): void {
  const needs: readonly (readonly [keyof CliFeatures, string, boolean])[] = [
    ['policy', 'deniedTools', config.deniedTools.length > 0],
    ['resume', 'resume', config.resume !== undefined],
    ['sessionId', 'sessionId', config.sessionId !== undefined],
    ['planMode', 'approvalMode "plan"', config.approvalMode === 'plan'],
  ];
  for (const [feature, option, isWanted] of needs) {
    if (!isWanted || features[feature]) continue;
    throw new ProviderError({
      code: 'CLI_NOT_FOUND',
      message: `This version of the CLI is too old for ${option}`,
      hint: `Install @google/gemini-cli ${firstVersionWith(feature)} or newer, or leave ${option} out.`,
    });
  }
}
