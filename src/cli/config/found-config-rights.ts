import { statSync } from 'node:fs';
import { createAgentEnvironment } from '../../agents/gemini/agent-environment.js';
import { loadSettings } from '../../agents/gemini/settings-file.js';
import { decideTrust } from '../../agents/gemini/trust.js';
import type { ConfigProblem } from '../../api/error.js';
import type { Environment } from '../../base/process/environment.js';
import { type ConfigValues, resolveConfig } from '../../config/resolve-config.js';
import type { ConfigFile } from './config-file.js';
import { type ConfigLayer, locateProblem } from './config-layer.js';
import type { FoundConfigFile } from './find-config-file.js';

/**
 * Settings that the config file of a folder may have without trust in the folder: they let a step do no more than it
 * may do without the file. All others need trust, also those of later versions.
 */
const HARMLESS_KEYS: ReadonlySet<string> = new Set([
  'model',
  'timeout',
  'idleTimeout',
  'startTimeout',
  'maxCliAttempts',
  'promptDelivery',
  'compileCache',
  'workspaceScan',
  'repair',
  'transport',
  'pool',
  'permissionTimeout',
  'unattended',
  'strict',
]);

/** Approval modes, from the fewest rights to the most. */
const MODES = ['plan', 'default', 'auto_edit', 'yolo'];
const DEFAULT_MODE = 'auto_edit';

export const NEEDS_TRUST =
  'raises rights, and the file was found by itself in a folder that is not trusted';

const PACKAGE_RIGHTS =
  'raises rights, which settings in package.json cannot, because steps may write that file: move it to gemini-cli-provider.yaml';

export const TRUST_HINT =
  'Give --trust-workspace if you trust the folder, name the file with --config to use it once, or give --no-config to ignore it.';

interface RightsRequest {
  readonly found: FoundConfigFile;
  readonly file: ConfigFile;
  /** Settings of the user's own file, which the file of a project may not loosen. */
  readonly ofUser: ConfigValues;
  /** `trustWorkspace` of the flags, the variables and the user's own file. */
  readonly trustWorkspace: unknown;
  readonly env: Environment;
}

/**
 * Returns the settings of a config file that was found in a folder. In a folder that the user trusts, all of them count, but
 * not those of package.json: steps may write that file, and would choose the rights of the next one. Otherwise settings that raise rights are problems, and lists that restrict a step are joined with those of the user.
 */
export function limitRights(request: RightsRequest): {
  readonly layer: ConfigLayer;
  readonly problems: readonly ConfigProblem[];
} {
  const { file, found, ofUser } = request;
  const problem = found.isPackage ? PACKAGE_RIGHTS : NEEDS_TRUST;
  if (!found.isPackage && isTrusted(request)) return { layer: file, problems: [] };
  const foreign = findForeignOwner(file.path);
  if (foreign !== undefined) return { layer: file, problems: [foreign] };
  const values: Record<string, unknown> = {};
  const problems: ConfigProblem[] = [];
  for (const [key, value] of Object.entries(file.values)) {
    if (isHarmless(key, value, ofUser)) values[key] = joinWithUser(key, value, ofUser);
    else problems.push(locateProblem({ key, value, problem }, file.origins));
  }
  return { layer: { values, origins: file.origins }, problems };
}

/** Asks the settings of the CLI: a folder that is trusted there may run hooks and MCP servers of its own. */
function isTrusted({ found, trustWorkspace, env }: RightsRequest): boolean {
  const config = resolveConfig({ trustWorkspace: trustWorkspace === true });
  const { env: ofAgent, geminiHome } = createAgentEnvironment(config, env, '');
  const settings = loadSettings(geminiHome, found.root);
  return decideTrust({ settings, env: ofAgent, geminiHome, workingDir: found.root }).isTrusted;
}

function isHarmless(key: string, value: unknown, ofUser: ConfigValues): boolean {
  if (HARMLESS_KEYS.has(key)) return true;
  if (key === 'trustWorkspace' || key === 'allowRedirection') return value === false;
  if (key === 'deniedTools' || key === 'secrets') return true;
  if (key === 'protectedPaths') {
    return Array.isArray(value) && value.every((path) => !String(path).startsWith('!'));
  }
  if (key !== 'approvalMode' || typeof value !== 'string') return false;
  const allowed = MODES.indexOf(String(ofUser['approvalMode'] ?? DEFAULT_MODE));
  return MODES.includes(value) && MODES.indexOf(value) <= allowed;
}

/** Joins lists that restrict a step: without that, a list of the project would replace the one of the user. */
function joinWithUser(key: string, value: unknown, ofUser: ConfigValues): unknown {
  const own = ofUser[key];
  const isJoined = ['deniedTools', 'secrets', 'protectedPaths'].includes(key);
  return isJoined && Array.isArray(own) && Array.isArray(value) ? [...own, ...value] : value;
}

/** Finds a file of another user: that user could change it at any time. Files of root are as safe as the system. */
function findForeignOwner(path: string): ConfigProblem | undefined {
  const { uid } = statSync(path);
  const self = process.getuid?.();
  if (self === undefined || uid === self || uid === 0) return undefined;
  const problem = `belongs to another user (${uid}), and its folder is not trusted`;
  return { key: 'config', value: path, problem };
}
