import type { ConfigProblem } from '../../api/error.js';
import type { GenerateOptions } from '../../api/generate-options.js';
import type { ContextKeys } from '../../api/response-provider.js';
import { readInput } from '../../base/errors/invalid-input.js';
import { nearestName } from '../../base/text/nearest-name.js';
import { toSnakeCase } from '../../base/text/snake-case.js';
import { readOptions } from '../../config/accept-config.js';
import { invalidConfig, toProblem } from '../../config/config-problem.js';
import { findConfigKey } from '../../config/key-spelling.js';
import { nearestConfigKey } from '../../config/other-keys.js';

/** Options of a call, split by the argument of `stream()` that takes them. */
export interface ReadOptions {
  readonly options: Readonly<Record<string, unknown>>;
  readonly context: Readonly<Record<string, unknown>>;
}

/**
 * Every option of a step, and who decides it in a call of the AI SDK. The compiler asks for a new option here, so that none
 * is dropped. `call`: `providerOptions` or the defaults. `merged`: the same, combined with the messages and the response
 * format of the call. A text: the argument of the AI SDK that has the value.
 */
const DECIDED_BY = {
  model: 'the argument of the model, as in gemini("gemini-2.5-flash")',
  signal: 'abortSignal',
  systemPrompt: 'merged',
  expects: 'merged',
  repair: 'merged',
  maxCost: 'call',
  prices: 'call',
  approvalMode: 'call',
  includeDirectories: 'call',
  allowedTools: 'call',
  deniedTools: 'call',
  allowRedirection: 'call',
  protectedPaths: 'call',
  sandbox: 'call',
  workingDir: 'call',
  timeout: 'call',
  idleTimeout: 'call',
  startTimeout: 'call',
  maxCliAttempts: 'call',
  promptDelivery: 'call',
  expandAt: 'call',
  resume: 'call',
  sessionId: 'call',
  trustWorkspace: 'call',
  env: 'call',
  inheritEnv: 'call',
  secrets: 'call',
  cliPath: 'call',
  extraArgs: 'call',
  compileCache: 'call',
  processIsolation: 'call',
  workspaceScan: 'call',
  keepArtifacts: 'call',
  transport: 'call',
  pool: 'call',
  mcpServers: 'call',
  onPermission: 'call',
  permissionTimeout: 'call',
  unattended: 'call',
  clientFiles: 'call',
  clientTerminals: 'call',
  strict: 'call',
  logger: 'call',
} as const satisfies Record<keyof GenerateOptions, string>;

/** Keys of the context. The compiler asks for a new one here. */
const CONTEXT_KEYS = {
  promptFile: 'the messages of the call',
  projectRoot: 'call',
  sessionProject: 'call',
  idempotencyKey: 'call',
  traceparent: 'call',
  traceCli: 'call',
  jobId: 'the worker of a queue',
} as const satisfies Record<keyof ContextKeys, string>;

/**
 * Checks the names of options, and splits options from context. Values are checked by the provider. Throws INVALID_CONFIG
 * with every problem at once: the AI SDK checks nothing here, and a misspelled option would be dropped.
 * @param foreignKeys options that the provider has beside those of this package
 */
export function readCallOptions(
  input: unknown,
  name: string,
  foreignKeys: readonly string[] = [],
): ReadOptions {
  return readInput(
    name,
    () => split(readOptions(input, name), name, foreignKeys),
    'INVALID_CONFIG',
  );
}

function split(given: object, name: string, foreignKeys: readonly string[]): ReadOptions {
  const problems: ConfigProblem[] = [];
  const options: Record<string, unknown> = {};
  const context: Record<string, unknown> = {};
  for (const [spelling, value] of Object.entries(given)) {
    if (value === undefined || value === null) continue;
    const key = findConfigKey(spelling) ?? (spelling === 'signal' ? spelling : undefined);
    const contextKey = Object.keys(CONTEXT_KEYS).find((one) => {
      return one === spelling || toSnakeCase(one) === spelling;
    });
    const decider = deciderOf(key) ?? deciderOf(contextKey);
    if (decider !== undefined && !['call', 'merged'].includes(decider))
      problems.push(toProblem([name, spelling], value, `is given by ${decider}`));
    else if (contextKey !== undefined) context[contextKey] = value;
    else if (spelling === 'context') Object.assign(context, readOptions(value, `${name}.context`));
    else if (key !== undefined) options[key] = value;
    else if (foreignKeys.includes(spelling)) options[spelling] = value;
    else problems.push(toProblem([name, spelling], value, refuseUnknown(spelling, foreignKeys)));
  }
  if (problems.length > 0) throw invalidConfig(problems);
  return { options, context };
}

function deciderOf(key: string | undefined): string | undefined {
  return Object.entries({ ...DECIDED_BY, ...CONTEXT_KEYS }).find(([known]) => known === key)?.[1];
}

function refuseUnknown(spelling: string, foreignKeys: readonly string[]): string {
  const names = [...Object.keys(CONTEXT_KEYS), ...foreignKeys];
  const nearest = nearestConfigKey(spelling) ?? nearestName(spelling, names);
  return `is an unknown option${nearest === undefined ? '' : `. Did you mean "${nearest}"?`}`;
}
