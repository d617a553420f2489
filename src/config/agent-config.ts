import { z } from 'zod';
import type { ConfigProblem } from '../api/error.js';
import type { ProviderConfig } from '../api/provider-config.js';
import { readInput } from '../base/errors/invalid-input.js';
import { nearestName } from '../base/text/nearest-name.js';
import { toSnakeCase } from '../base/text/snake-case.js';
import { acceptConfig, readOptions } from './accept-config.js';
import { checkValues } from './check-values.js';
import { invalidConfig, toProblem } from './config-problem.js';
import { textField } from './fields.js';
import { CONFIG_KEYS } from './schema.js';

/** Options that only the Gemini CLI supports. */
const GEMINI_ONLY = [
  'cliPath',
  'compileCache',
  'extraArgs',
  'expandAt',
  'includeDirectories',
  'maxCliAttempts',
  'sandbox',
  'sessionId',
  'transport',
  'trustWorkspace',
] as const;

/** Options of `AcpAgentProvider`: those of every agent, and those of `ProviderConfig` that are not Gemini's own. */
export interface AcpAgentConfig extends Omit<ProviderConfig, (typeof GEMINI_ONLY)[number]> {
  /** Executable of the agent: a path, or a name on `PATH`. */
  readonly command: string;
  /**
   * Arguments of the executable.
   *
   * @defaultValue `[]`
   */
  readonly args?: readonly string[] | undefined;
  /**
   * Name of the agent in messages.
   *
   * @defaultValue the value of `command`
   */
  readonly name?: string | undefined;
  /**
   * Id of the agent's login method to use after the start.
   *
   * @defaultValue none: no login is attempted
   */
  readonly authMethod?: string | undefined;
}

const agentSchema = z.object({
  command: textField,
  args: z.array(z.string()).nullish(),
  name: textField.nullish(),
  authMethod: textField.nullish(),
});

/** Keys of `AcpAgentConfig`. */
export const AGENT_CONFIG_KEYS: readonly string[] = [
  ...Object.keys(agentSchema.shape),
  ...CONFIG_KEYS.filter((key) => !GEMINI_ONLY.some((other) => other === key)),
];

export interface AcceptedAgentConfig {
  readonly agent: {
    readonly command: string;
    readonly args: readonly string[];
    readonly name: string;
    readonly authMethod: string | undefined;
  };
  /** Options that every provider has. */
  readonly rest: object;
}

/**
 * Checks options that no compiler has checked and returns them with their type. Throws INVALID_CONFIG with every problem
 * at once.
 */
export function parseAgentConfig(input: unknown): AcpAgentConfig {
  const { agent, rest } = acceptAgentConfig(input);
  const { transport: _, ...options }: ProviderConfig = acceptConfig(rest).values;
  return { ...options, ...agent };
}

/** Splits the options into those of the agent and those of every provider. Throws INVALID_CONFIG. */
export function acceptAgentConfig(input: unknown): AcceptedAgentConfig {
  return readInput('The configuration', () => checkAgentConfig(input), 'INVALID_CONFIG');
}

function checkAgentConfig(input: unknown): AcceptedAgentConfig {
  const {
    command,
    args,
    name,
    auth_method: snake,
    authMethod = snake,
    ...rest
  }: Record<string, unknown> = { ...readOptions(input, 'config') };
  const { data: given, problems: wrong } = checkValues(agentSchema, {
    command,
    args,
    name,
    authMethod,
  });
  const problems = [
    ...wrong.map((problem) => nameMisspelled(problem, rest)),
    ...findGeminiOptions(rest),
  ];
  if (problems.length > 0 || given === undefined) throw invalidConfig(problems);
  return {
    agent: {
      command: given.command,
      args: given.args ?? [],
      name: given.name ?? given.command,
      authMethod: given.authMethod ?? undefined,
    },
    rest: { ...rest, transport: 'acp' },
  };
}

/** Adds the unknown key that most likely means the key that is missing. */
function nameMisspelled(problem: ConfigProblem, rest: object): ConfigProblem {
  const unknown = Object.keys(rest).find((key) => nearestName(key, [problem.key]) !== undefined);
  if (unknown === undefined) return problem;
  return { ...problem, problem: `${problem.problem}. Is "${unknown}" a typing error?` };
}

/** Finds options that would have no effect on another agent, in a configuration or in the options of one step. */
export function findGeminiOptions(values: Readonly<Record<string, unknown>>): ConfigProblem[] {
  return GEMINI_ONLY.flatMap((key) => {
    const spelling = [key, toSnakeCase(key)].find(
      (name) => (values[name] ?? undefined) !== undefined,
    );
    if (spelling === undefined) return [];
    return [toProblem([spelling], values[spelling], 'is supported by the Gemini CLI only')];
  });
}
