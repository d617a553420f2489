import type { ClientFileHooks } from '../api/client-file-hooks.js';
import type { ConfigProblem } from '../api/error.js';
import type { Expectations } from '../api/expectations.js';
import type { Logger } from '../api/logger.js';
import type { McpServer } from '../api/mcp-server.js';
import type { OnPermission } from '../api/permission.js';
import type { ProcessIsolation } from '../api/process-isolation.js';
import type { Transport } from '../api/result.js';
import type { PoolOptions, WarmPool } from '../api/warm-pool.js';
import { valueAt } from '../base/json/value-at.js';
import type { Unattended } from './acp-options.js';
import { invalidConfig, toProblem } from './config-problem.js';
import { findConfigKey } from './key-spelling.js';
import { silentLogger } from './logging.js';
import { findNulCharacters } from './nul-characters.js';
import { toListIfOne } from './one-or-list.js';
import { type ProtectedPaths, resolveProtectedPaths } from './protected-paths.js';
import type {
  ApprovalMode,
  PromptDelivery,
  ProviderConfig,
  SystemPrompt,
  WorkspaceScan,
} from './provider-config.js';
import { configSchema, type ParsedConfig } from './schema.js';
import {
  findStrayRedirections,
  parseAllowedTools,
  parseToolRules,
  type ToolRule,
} from './tool-rule.js';

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

export interface NormalisedConfig {
  readonly values: ConfigValues;
  readonly unknownKeys: readonly string[];
  readonly problems: readonly ConfigProblem[];
}

/** Maps both spellings to camelCase keys. Drops null values, which mean "not set" in YAML. */
export function normaliseKeys(input: object): NormalisedConfig {
  const values: Record<string, unknown> = {};
  const unknownKeys: string[] = [];
  const problems: ConfigProblem[] = [];
  for (const [spelling, value] of Object.entries(input)) {
    // `$schema` names the schema for editors.
    if (value === undefined || value === null || spelling === '$schema') continue;
    const key = findConfigKey(spelling);
    if (key === undefined) unknownKeys.push(spelling);
    else if (key in values) problems.push(toProblem([key], value, 'is given in both spellings'));
    else values[key] = toListIfOne(key, value);
  }
  return { values, unknownKeys, problems };
}

/** Checks the options and fills in defaults. Throws INVALID_CONFIG with all problems at once, `known` included. */
export function resolveConfig(
  values: ConfigValues,
  known: readonly ConfigProblem[] = [],
): ResolvedConfig {
  const parsed = configSchema.safeParse(values);
  const problems = [
    ...known,
    ...(parsed.success ? [] : parsed.error.issues.map((issue) => describeIssue(issue, values))),
    ...findNulCharacters(values),
    ...findConflicts(values),
  ];
  if (problems.length > 0 || !parsed.success) throw invalidConfig(problems);
  const given = parsed.data;
  const stray = findStray(given);
  if (stray.length > 0) throw invalidConfig(stray);
  return {
    model: given.model,
    approvalMode: given.approvalMode ?? 'auto_edit',
    includeDirectories: given.includeDirectories ?? [],
    allowedTools: parseAllowedTools(given.allowedTools ?? [], given.allowRedirection),
    deniedTools: parseToolRules(given.deniedTools ?? []),
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

function findStray({ allowRedirection, allowedTools = [] }: ParsedConfig): ConfigProblem[] {
  if (typeof allowRedirection !== 'object') return [];
  return findStrayRedirections(allowRedirection, allowedTools).map((rule) => {
    return toProblem(['allowRedirection'], rule, 'is not a shell rule of allowedTools');
  });
}

function resolveSystemPrompt(
  given: ProviderConfig['systemPrompt'],
): Exclude<SystemPrompt, string> | undefined {
  return typeof given === 'string' ? { mode: 'prepend', text: given } : given;
}

/** Options that would have no effect on a headless step. `pool` and `permissionTimeout` are allowed there. */
const ACP_ONLY = ['mcpServers', 'onPermission', 'unattended', 'clientFiles', 'clientTerminals'];
const MEANS_NOTHING: ReadonlySet<unknown> = new Set([false, 'reject']);

function findConflicts(values: ConfigValues): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const add = (key: string, problem: string): void => {
    if (values[key] !== undefined) problems.push(toProblem([key], values[key], problem));
  };
  if (values['resume'] !== undefined) {
    add('sessionId', 'cannot be combined with resume: a resumed session keeps its id');
  }
  if (values['transport'] === 'acp') {
    add('sessionId', 'cannot be chosen with transport "acp": the agent chooses it');
    if (values['expandAt'] === true) {
      add('expandAt', 'needs transport "headless": over ACP the CLI takes @path as it is written');
    }
  } else {
    for (const key of ACP_ONLY) {
      if (!MEANS_NOTHING.has(values[key])) add(key, 'needs transport "acp"');
    }
  }
  return problems;
}

interface SchemaIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function describeIssue(issue: SchemaIssue, values: ConfigValues): ConfigProblem {
  return toProblem(issue.path, valueAt(values, issue.path), issue.message);
}
