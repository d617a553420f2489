import type { Unattended } from '../api/acp-options.js';
import type { ClientFileHooks } from '../api/client-file-hooks.js';
import type { PriceTable } from '../api/cost.js';
import type { ConfigProblem } from '../api/error.js';
import type { Expectations } from '../api/expectations.js';
import type { Logger } from '../api/logger.js';
import type { McpServer } from '../api/mcp-server.js';
import type { OnPermission } from '../api/permission.js';
import type { ProcessIsolation } from '../api/process-isolation.js';
import type {
  ApprovalMode,
  PromptDelivery,
  ProviderConfig,
  SystemPrompt,
  WorkspaceScan,
} from '../api/provider-config.js';
import type { Transport } from '../api/result.js';
import type { PoolOptions, WarmPool } from '../api/warm-pool.js';
import { findUnpricedModels } from '../base/usage/find-price.js';
import { checkValues } from './check-values.js';
import { invalidConfig, toProblem } from './config-problem.js';
import { findConflicts } from './find-conflicts.js';
import { findStrayRules, findWrongTools } from './find-tool-problems.js';
import { findConfigKey } from './key-spelling.js';
import { silentLogger } from './logging.js';
import { findNulCharacters } from './nul-characters.js';
import { toListIfOne } from './one-or-list.js';
import { findRefusedKey } from './other-keys.js';
import { type ProtectedPaths, resolveProtectedPaths } from './protected-paths.js';
import { configSchema, type ParsedConfig } from './schema.js';
import { toGeminiRules } from './tool-names.js';
import { parseAllowedTools, parseToolRules, type ToolRule } from './tool-rule.js';

export const DEFAULT_TIMEOUT_SECONDS = 600;
const DEFAULT_START_TIMEOUT_SECONDS = 60;
const DEFAULT_PERMISSION_TIMEOUT_SECONDS = 60;

/** Configuration with all defaults filled in. All other wings work with this form. */
export interface ResolvedConfig {
  readonly model: string | undefined;
  readonly approvalMode: ApprovalMode;
  readonly includeDirectories: readonly string[];
  readonly allowedTools: readonly ToolRule[];
  readonly deniedTools: readonly ToolRule[];
  readonly protectedPaths: ProtectedPaths;
  readonly sandbox: boolean | string;
  readonly workingDir: string | undefined;
  readonly timeoutMs: number;
  readonly idleTimeoutMs: number | undefined;
  readonly startTimeoutMs: number;
  readonly maxCliAttempts: number | undefined;
  readonly promptDelivery: PromptDelivery;
  readonly expandAt: boolean;
  readonly systemPrompt: Exclude<SystemPrompt, string> | undefined;
  readonly resume: string | undefined;
  readonly sessionId: string | undefined;
  readonly trustWorkspace: boolean;
  readonly env: Readonly<Record<string, string | true>>;
  readonly inheritEnv: boolean;
  readonly secrets: readonly string[];
  readonly cliPath: string | undefined;
  readonly extraArgs: readonly string[];
  readonly compileCache: boolean;
  readonly processIsolation: ProcessIsolation;
  readonly workspaceScan: WorkspaceScan;
  readonly keepArtifacts: boolean | string;
  readonly expects: Expectations | undefined;
  readonly repair: number;
  readonly maxCost: number | undefined;
  readonly prices: PriceTable | undefined;
  readonly transport: Transport;
  readonly pool: PoolOptions | WarmPool;
  readonly mcpServers: readonly McpServer[];
  readonly onPermission: OnPermission | undefined;
  readonly permissionTimeoutMs: number;
  readonly unattended: Unattended;
  readonly clientFiles: false | ClientFileHooks;
  readonly clientTerminals: boolean;
  readonly logger: Logger;
}

/** Options under their camelCase names, before the check. */
export type ConfigValues = Readonly<Record<string, unknown>>;

/** Keys as the caller has written them, by their camelCase names. */
export type GivenKeys = ReadonlyMap<
  string,
  {
    readonly spelling: string /** True for one value in the place of a list. */;
    readonly isSingle: boolean;
  }
>;

export interface NormalisedConfig {
  readonly values: ConfigValues;
  readonly givenKeys: GivenKeys;
  readonly unknownKeys: readonly string[];
  readonly problems: readonly ConfigProblem[];
}

/** Maps both spellings to camelCase keys. Drops null values, which mean "not set" in YAML. */
export function normaliseKeys(input: object): NormalisedConfig {
  const values: Record<string, unknown> = {};
  const givenKeys = new Map<string, { spelling: string; isSingle: boolean }>();
  const unknownKeys: string[] = [];
  const problems: ConfigProblem[] = [];
  for (const [spelling, value] of Object.entries(input)) {
    // `$schema` names the schema for editors.
    if (value === undefined || value === null || spelling === '$schema') continue;
    const key = findConfigKey(spelling);
    const refusal = findRefusedKey(spelling);
    if (refusal !== undefined) problems.push(toProblem([spelling], value, refusal));
    else if (key === undefined) unknownKeys.push(spelling);
    else if (key in values) problems.push(toProblem([key], value, 'is given in both spellings'));
    else values[key] = toListIfOne(key, value);
    if (key !== undefined) givenKeys.set(key, { spelling, isSingle: values[key] !== value });
  }
  return { values, givenKeys, unknownKeys, problems };
}

export interface ResolveOptions {
  /** Keys as the caller has written them, for messages. */
  readonly givenKeys?: GivenKeys | undefined;
  /** `gemini`: rules name tools of the Gemini CLI; names of other tools are mapped or refused. Default `any`. */
  readonly tools?: 'gemini' | 'any' | undefined;
}

/** Checks the options and fills in defaults. Throws INVALID_CONFIG with all problems at once, `known` included. */
export function resolveConfig(
  values: ConfigValues,
  known: readonly ConfigProblem[] = [],
  { givenKeys, tools = 'any' }: ResolveOptions = {},
): ResolvedConfig {
  const { data: given, problems: wrong } = checkValues(configSchema, values);
  const problems = [
    ...known,
    ...wrong,
    ...findNulCharacters(values),
    ...findConflicts(values),
    ...findStrayRules(values),
    ...(given === undefined ? [] : findUnpriced(given)),
    ...(tools === 'any' ? [] : findWrongTools(values)),
  ].map((problem) => nameAsGiven(problem, givenKeys));
  if (problems.length > 0 || given === undefined) throw invalidConfig(problems);
  const mapRules = (rules: readonly string[] = []): readonly string[] =>
    tools === 'any' ? rules : rules.flatMap(toGeminiRules);
  const redirection = given.allowRedirection;
  return {
    model: given.model,
    approvalMode: given.approvalMode ?? 'auto_edit',
    includeDirectories: given.includeDirectories ?? [],
    allowedTools: parseAllowedTools(
      mapRules(given.allowedTools),
      typeof redirection === 'object' ? mapRules(redirection) : redirection,
    ),
    deniedTools: parseToolRules(mapRules(given.deniedTools)),
    protectedPaths: resolveProtectedPaths(given.protectedPaths),
    sandbox: given.sandbox ?? false,
    workingDir: given.workingDir,
    timeoutMs: (given.timeout ?? DEFAULT_TIMEOUT_SECONDS) * 1000,
    idleTimeoutMs: given.idleTimeout === undefined ? undefined : given.idleTimeout * 1000,
    startTimeoutMs: (given.startTimeout ?? DEFAULT_START_TIMEOUT_SECONDS) * 1000,
    maxCliAttempts: given.maxCliAttempts,
    promptDelivery: given.promptDelivery ?? 'auto',
    expandAt: given.expandAt ?? false,
    systemPrompt: resolveSystemPrompt(given.systemPrompt),
    resume: given.resume === undefined ? undefined : String(given.resume),
    sessionId: given.sessionId,
    trustWorkspace: given.trustWorkspace ?? false,
    env: given.env ?? {},
    inheritEnv: given.inheritEnv ?? false,
    secrets: given.secrets ?? [],
    cliPath: given.cliPath,
    extraArgs: given.extraArgs ?? [],
    compileCache: given.compileCache ?? true,
    processIsolation: given.processIsolation ?? 'auto',
    workspaceScan: given.workspaceScan ?? 'auto',
    keepArtifacts: given.keepArtifacts ?? false,
    expects: given.expects,
    repair: given.repair ?? 0,
    maxCost: given.maxCost,
    prices: given.prices,
    transport: given.transport ?? 'headless',
    pool: given.pool ?? {},
    mcpServers: given.mcpServers ?? [],
    onPermission: given.onPermission,
    permissionTimeoutMs: (given.permissionTimeout ?? DEFAULT_PERMISSION_TIMEOUT_SECONDS) * 1000,
    unattended: given.unattended ?? 'reject',
    clientFiles: given.clientFiles === true ? {} : (given.clientFiles ?? false),
    clientTerminals: given.clientTerminals ?? false,
    logger: given.logger ?? silentLogger,
  };
}

/** Finds a model whose cost cannot be compared with `maxCost`. */
function findUnpriced({ model, maxCost, prices }: ParsedConfig): ConfigProblem[] {
  if (maxCost === undefined) return [];
  return findUnpricedModels([model], prices).map((name) => {
    return toProblem(['model'], name, 'has no known price, which maxCost needs: add it to prices');
  });
}

/** Names the key as the caller has written it. */
function nameAsGiven(problem: ConfigProblem, givenKeys: GivenKeys = new Map()): ConfigProblem {
  const [key = '', ...rest] = problem.key.split('.');
  const { spelling = key, isSingle = false } = givenKeys.get(key) ?? {};
  const path = isSingle && rest[0] === '0' ? rest.slice(1) : rest;
  return { ...problem, key: [spelling, ...path].join('.') };
}

function resolveSystemPrompt(
  given: ProviderConfig['systemPrompt'],
): Exclude<SystemPrompt, string> | undefined {
  return typeof given === 'string' ? { mode: 'prepend', text: given } : given;
}
