import { resolve, sep } from 'node:path';
import type { Environment } from '../../base/process/environment.js';
import type { ServerCommand } from '../../engines/mcp/client-config.js';

/** Flags of `mcp` whose value is a path relative to the current folder. A client starts the server in another one. */
const PATH_FLAGS = ['--config', '-c', '--system-prompt-file', '--state'];
/** Flags that are not repeated: the command adds the roots as absolute paths. */
const LEFT_OUT = ['--print-config', '--root'];
/** Variables with which the Gemini CLI logs in. */
const LOGIN_VARIABLES = [
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_GENAI_USE_VERTEXAI',
  'GOOGLE_CLOUD_PROJECT',
  'GOOGLE_CLOUD_LOCATION',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'GEMINI_CLI_PATH',
];

/**
 * Builds the command that starts the server as this process was started, with the same flags. A package that npx has
 * fetched is started by npx again, because its folder may be gone later.
 */
export function serverCommand(
  argv: readonly string[],
  roots: readonly string[],
  environment: Environment,
): ServerCommand {
  const [node = 'node', script = '', , ...given] = argv;
  const isFetched = script.split(sep).includes('_npx');
  const flags = ['mcp', ...roots.flatMap((root) => ['--root', root]), ...repeatFlags(given)];
  return {
    command: isFetched ? 'npx' : node,
    args: isFetched ? ['-y', 'gemini-cli-provider', ...flags] : [script, ...flags],
    variables: LOGIN_VARIABLES.filter((name) => (environment[name] ?? '') !== ''),
  };
}

function repeatFlags(given: readonly string[]): string[] {
  const flags: string[] = [];
  for (let index = 0; index < given.length; index++) {
    const argument = given[index] ?? '';
    const equals = argument.startsWith('--') ? argument.indexOf('=') : -1;
    const name = equals < 0 ? argument : argument.slice(0, equals);
    const takesNext = equals < 0 && [...LEFT_OUT, ...PATH_FLAGS].includes(name);
    const value = takesNext ? given[++index] : argument.slice(equals + 1);
    if (LEFT_OUT.includes(name)) continue;
    if (PATH_FLAGS.includes(name)) flags.push(name, resolve(value ?? ''));
    else flags.push(argument);
  }
  return flags;
}
