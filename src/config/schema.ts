import { z } from 'zod';
import type { ClientFileHooks } from '../api/client-file-hooks.js';
import type { Logger } from '../api/logger.js';
import type { OnPermission } from '../api/permission.js';
import type { WarmPool } from '../api/warm-pool.js';
import { expectationsSchema } from './expectations-schema.js';
import { secondsField, textField, wholeField } from './fields.js';
import { findFlagProblems } from './owned-flags.js';
import { maxCostField, pricesSchema } from './prices-schema.js';
import { findToolRuleProblem } from './tool-rule.js';

/** Largest value of `repair`. A model that has failed ten times is not expected to succeed later. */
export const MOST_REPAIRS = 10;

const toolRule = z.string().superRefine((rule, check) => {
  const problem = findToolRuleProblem(rule);
  if (problem !== undefined) check.addIssue(problem);
});
const includeDirectory = textField.refine((path) => !path.includes(','), {
  error: 'must not contain a comma: the CLI splits the list on it and has no way to escape one',
});
const protectedPath = textField.refine((entry) => entry !== '!', { error: 'must not be empty' });
const ENV_VALUE = 'must map names to a string, or to true to pass on the value of this process';
const ENV_NAME = 'has an invalid variable name: it is empty, or contains "=" or a NUL';
const SECRET_NAME = 'must be the name of a variable, not its value';
const environmentName = z.string().regex(/^[^=\0]+$/);

const systemPromptMode = z.enum(['replace', 'prepend']);
const systemPrompt = z.union(
  [
    textField,
    z.strictObject({ mode: systemPromptMode, text: textField }),
    z.strictObject({ mode: systemPromptMode, file: textField }),
  ],
  { error: 'must be a string, { mode, text } or { mode, file } with mode "replace" or "prepend"' },
);

const logger = z.custom<Logger>(isLogger, 'must have the methods debug, info, warn and error');

const count = wholeField(1);
export const poolOptions = z
  .strictObject({
    maxProcesses: count,
    sessionsPerProcess: count,
    maxSessions: count,
    maxMemoryMb: count,
    idleShutdown: secondsField,
    spareSessions: wholeField(0),
  })
  .partial();
const sharedPool = z.custom<WarmPool>((value) => {
  return hasMethods(value, ['dispose', 'stats']) && Reflect.get(value, 'kind') === 'agent-pool';
});
const pool = z.union([sharedPool, poolOptions], {
  error:
    'must be an AgentPool, or an object with maxProcesses, sessionsPerProcess, maxSessions, maxMemoryMb, idleShutdown, spareSessions',
});

const namedValues = z.array(z.strictObject({ name: textField, value: z.string() }));
const mcpServer = z.union(
  [
    z.strictObject({
      name: textField,
      command: textField,
      args: z.array(z.string()).optional(),
      env: namedValues.optional(),
    }),
    z.strictObject({
      type: z.enum(['http', 'sse']),
      name: textField,
      url: textField,
      headers: namedValues.optional(),
    }),
  ],
  {
    error: 'must have a name, and a command (args, env) or a type (http, sse) and a url (headers)',
  },
);

const onPermission = z.custom<OnPermission>(
  (value) => typeof value === 'function',
  'must be a function',
);
const clientFileHooks = z.custom<ClientFileHooks>((value) => {
  if (typeof value !== 'object' || value === null) return false;
  const hooks = ['beforeWrite', 'beforeRead'];
  return Object.entries(value).every(([name, hook]) => {
    return hooks.includes(name) && (hook === undefined || typeof hook === 'function');
  });
});

/** Schema of a list of texts. `toListIfOne` has turned a single text into a list. */
function listOf<Item extends z.ZodType>(item: Item, what: string) {
  return z.array(item, `must be a text, or a list of ${what}`);
}

export function isLogger(value: unknown): value is Logger {
  return hasMethods(value, ['debug', 'info', 'warn', 'error']);
}

function hasMethods(value: unknown, names: readonly string[]): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return names.every((name) => typeof Reflect.get(value, name) === 'function');
}

/** Schema of each key of `ProviderConfig`, in the order of the documentation. */
const configShape = {
  model: textField,
  approvalMode: z.enum(['default', 'auto_edit', 'yolo', 'plan']),
  includeDirectories: listOf(includeDirectory, 'folders'),
  allowedTools: listOf(toolRule, 'rules'),
  deniedTools: listOf(toolRule, 'rules'),
  allowRedirection: z.union([z.boolean(), z.array(toolRule)], {
    error: 'must be true, false, a rule of allowedTools or a list of these rules',
  }),
  protectedPaths: z.union([z.literal(false), z.array(protectedPath)], {
    error: 'must be false, a glob, an absolute path or a list of these',
  }),
  sandbox: z.union([z.boolean(), textField], {
    error: 'must be true, false or the name of a command',
  }),
  workingDir: textField,
  timeout: secondsField,
  idleTimeout: secondsField,
  startTimeout: secondsField,
  maxCliAttempts: wholeField(1),
  promptDelivery: z.enum(['auto', 'stdin', 'file']),
  expandAt: z.boolean(),
  systemPrompt,
  resume: z.union([textField, wholeField(1)], {
    error: 'must be a session id, a session number from 1, or "latest"',
  }),
  sessionId: z.string().regex(/^[\w-]+$/, 'may contain letters, digits, "-" and "_" only'),
  trustWorkspace: z.boolean(),
  env: z.record(environmentName, z.union([z.string(), z.literal(true)], { error: ENV_VALUE }), {
    error: ({ code }) => (code === 'invalid_key' ? ENV_NAME : ENV_VALUE),
  }),
  inheritEnv: z.boolean(),
  secrets: listOf(z.string().regex(/^[^=\0]+$/, SECRET_NAME), 'names'),
  cliPath: textField,
  extraArgs: listOf(z.string(), 'flags').superRefine((args, check) => {
    for (const problem of findFlagProblems(args)) check.addIssue(problem);
  }),
  compileCache: z.boolean(),
  processIsolation: z.enum(['auto', 'cgroup', 'subreaper', 'namespace', 'off']),
  workspaceScan: z.enum(['auto', 'always', 'off']),
  keepArtifacts: z.union([z.boolean(), textField], { error: 'must be true, false or a folder' }),
  expects: expectationsSchema,
  repair: wholeField(0, MOST_REPAIRS),
  maxCost: maxCostField,
  prices: pricesSchema,
  transport: z.enum(['headless', 'acp']),
  pool,
  mcpServers: z.array(mcpServer, 'must be a server, or a list of servers'),
  onPermission,
  permissionTimeout: secondsField,
  unattended: z.enum(['reject', 'fail']),
  clientFiles: z.union([z.boolean(), clientFileHooks], {
    error: 'must be true, false, or have the functions beforeWrite and beforeRead',
  }),
  clientTerminals: z.boolean(),
  strict: z.boolean(),
  logger,
} as const;

export const configSchema = z.object(configShape).partial();

/** Checked options: durations are numbers of seconds. */
export type ParsedConfig = z.output<typeof configSchema>;

export const CONFIG_KEYS: readonly string[] = Object.keys(configShape);
