import { z } from 'zod';
import type { ConfigProblem } from '../api/error.js';
import { readOptions } from './accept-config.js';
import { invalidConfig, toProblem } from './config-problem.js';
import { textField } from './fields.js';
import type { ProviderConfig } from './provider-config.js';

/** Options that mean something to the Gemini CLI alone. */
const GEMINI_ONLY = [
  'cliPath',
  'extraArgs',
  'expandAt',
  'includeDirectories',
  'maxCliAttempts',
  'sandbox',
  'sessionId',
  'transport',
  'trustWorkspace',
] as const;

/** Every option of `AcpAgentProvider`. */
export interface AcpAgentConfig extends Omit<ProviderConfig, (typeof GEMINI_ONLY)[number]> {
  /** The agent's executable: a path, or a name on PATH. */
  readonly command: string;
  /** Its arguments. Default: none. */
  readonly args?: readonly string[] | undefined;
  /** What it is called in messages. Default: the command. */
  readonly name?: string | undefined;
  /** Log in with this method of the agent after the start. Default: no login is attempted. */
  readonly authMethod?: string | undefined;
}

const agentSchema = z.object({
  command: textField,
  args: z.array(z.string()).nullish(),
  name: textField.nullish(),
  authMethod: textField.nullish(),
});

export interface AcceptedAgentConfig {
  readonly agent: {
    readonly command: string;
    readonly args: readonly string[];
    readonly name: string;
    readonly authMethod: string | undefined;
  };
  /** The options that every provider has. */
  readonly rest: object;
}

/** Takes the options of an agent apart. Throws INVALID_CONFIG. */
export function acceptAgentConfig(input: unknown): AcceptedAgentConfig {
  const {
    command,
    args,
    name,
    auth_method: snake,
    authMethod = snake,
    ...rest
  }: Record<string, unknown> = { ...readOptions(input, 'config') };
  const parsed = agentSchema.safeParse({ command, args, name, authMethod });
  const problems = [
    ...(parsed.success
      ? []
      : parsed.error.issues.map(({ path, message }) => {
          return toProblem(path, { command, args, name, authMethod }[String(path[0])], message);
        })),
    ...findGeminiOptions(rest),
  ];
  if (problems.length > 0 || !parsed.success) throw invalidConfig(problems);
  const given = parsed.data;
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

/** Better no run than one in which an option silently does nothing. Also for the options of one call. */
export function findGeminiOptions(values: Readonly<Record<string, unknown>>): ConfigProblem[] {
  return GEMINI_ONLY.flatMap((key) => {
    const snake = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const spelling = [key, snake].find((name) => (values[name] ?? undefined) !== undefined);
    if (spelling === undefined) return [];
    return [toProblem([spelling], values[spelling], 'is an option of the Gemini CLI alone')];
  });
}
