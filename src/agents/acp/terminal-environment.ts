import { isObject } from '../../base/json/is-object.js';
import { toList } from './acp-wire.js';

/**
 * Variables that an agent may set for its commands: language, colours, size of the terminal, mode of a build. None of
 * them names a program, a library, a file that is executed, or a server.
 */
const HARMLESS_NAMES: ReadonlySet<string> = new Set([
  'CI',
  'CLICOLOR',
  'CLICOLOR_FORCE',
  'COLORTERM',
  'COLUMNS',
  'FORCE_COLOR',
  'LANG',
  'LANGUAGE',
  'LINES',
  'NODE_ENV',
  'NO_COLOR',
  'TERM',
  'TZ',
]);

export interface TerminalVariables {
  readonly variables: Readonly<Record<string, string>>;
  /** Names of the variables that the command does not get. */
  readonly ignored: readonly string[];
}

/**
 * Reads the variables of `terminal/create`. An allow-list decides, because a variable such as PATH, NODE_OPTIONS,
 * LD_PRELOAD, BASH_ENV or GIT_SSH_COMMAND lets an allowed command run any other program.
 */
export function readTerminalVariables(env: unknown): TerminalVariables {
  const variables: Record<string, string> = {};
  const ignored: string[] = [];
  for (const entry of toList(env)) {
    const name = isObject(entry) ? entry['name'] : undefined;
    if (typeof name !== 'string') continue;
    const value = isObject(entry) ? String(entry['value'] ?? '') : '';
    if (isHarmless(name) && !value.includes('\0')) variables[name] = value;
    else ignored.push(name);
  }
  return { variables, ignored };
}

function isHarmless(name: string): boolean {
  return HARMLESS_NAMES.has(name) || /^LC_[A-Z]+$/.test(name);
}
