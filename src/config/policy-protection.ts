import { isAbsolute } from 'node:path';
import { toSlashes } from '../base/fs/paths.js';
import type { DefaultProtectedPath, ProtectedPaths } from './protected-paths.js';

const PRIORITY = 950;
/** Length beyond which the CLI refuses a pattern. */
const LONGEST_PATTERN = 2048;

/** Beginning of the argument `file_path` in the text that the CLI compares: each argument lies between two NULs. */
const ARGUMENT = '\\x00"file_path":"';
/** Any folders before a name. The CLI refuses a quantifier after a group, so the empty case is an alternative. */
const FOLDERS = '(?:[^\\x00]*[/\\\\]|)';
const SLASH = '[/\\\\]';
const END = '"\\x00';

const DEFAULT_PATTERNS: Readonly<Record<DefaultProtectedPath, string>> = {
  // Session files in `.gemini/tmp` are protected, plans are not.
  '.gemini/**': `\\.gemini${SLASH}(?!tmp${SLASH}(?![^\\x00]*chats${SLASH}))`,
  '.env': `\\.env${END}`,
  '.git': `\\.git${END}`,
  '.git/config': `\\.git${SLASH}${FOLDERS}(?:config|config\\.worktree|commondir|gitdir)${END}`,
  '.git/hooks/**': `\\.git${SLASH}${FOLDERS}hooks${SLASH}`,
  '.git/info/**': `\\.git${SLASH}${FOLDERS}info${SLASH}`,
  'gemini-cli-provider.*': `gemini-cli-provider\\.(?:yaml|yml|json)${END}`,
};

/**
 * Renders rules that refuse `write_file` and `replace` for protected paths. The rules compare the path as the model wrote
 * it: writes through links are found after the turn. Exceptions cannot be expressed, so with exceptions the defaults are
 * left to that comparison, too.
 *
 * @param modes line with the modes in which the defaults hold; undefined if they do not hold
 * @param workingDir start of relative globs; undefined if the process serves several folders
 */
export function renderProtection(
  { defaults, added, exempt }: ProtectedPaths,
  modes: string | undefined,
  workingDir: string | undefined,
): string[] {
  const ofDefaults = modes === undefined || exempt.length > 0 ? [] : defaults;
  const ofAdded = exempt.length > 0 ? [] : added;
  return [
    ...ofDefaults.flatMap((pattern) => {
      return renderDenial(
        pattern,
        ARGUMENT + FOLDERS + ignoreCase(DEFAULT_PATTERNS[pattern]),
        modes,
      );
    }),
    ...ofAdded.flatMap((entry) => {
      const pattern = toPattern(toSlashes(entry), workingDir);
      return pattern === undefined ? [] : renderDenial(entry, pattern, undefined);
    }),
  ];
}

function renderDenial(entry: string, pattern: string, modes: string | undefined): string[] {
  if (pattern.length > LONGEST_PATTERN) return [];
  const message = `The path is protected (protectedPaths: ${entry}).`;
  return ['write_file', 'replace'].map((tool) => {
    const lines = [
      '[[rule]]',
      `toolName = ${JSON.stringify(tool)}`,
      `argsPattern = ${JSON.stringify(pattern)}`,
      'decision = "deny"',
      `priority = ${PRIORITY}`,
      `denyMessage = ${JSON.stringify(message)}`,
      ...(modes === undefined ? [] : [modes]),
    ];
    return `${lines.join('\n')}\n`;
  });
}

/** Translates a glob of stars and question marks. Returns undefined for other globs: they are compared after the turn. */
function toPattern(glob: string, workingDir: string | undefined): string | undefined {
  if (/[[\]{}()!+@|\\]/.test(glob)) return undefined;
  const body = glob.replace(/^(?:\.\/)+/, '').replace(/\/$/, '/**');
  const matched = body
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((part) => WILDCARDS.get(part) ?? literal(part))
    .join('');
  if (isAbsolute(glob)) return `${ARGUMENT}${matched}(?:/[^\\x00]*|)${END}`;
  if (workingDir === undefined) return undefined;
  return `${ARGUMENT}(?:\\./|${literal(`${toSlashes(workingDir)}/`)}|)${matched}${END}`;
}

const WILDCARDS: ReadonlyMap<string, string> = new Map([
  ['**/', '(?:[^\\x00]*/|)'],
  ['**', '[^\\x00]*'],
  ['*', '[^/\\x00]*'],
  ['?', '[^/]'],
]);

/** Returns a pattern for the text as it stands in JSON. */
function literal(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(/[-[\]{}()*+?.,\\^$|#\s]/g, '\\$&');
}

/** Replaces letters by classes of both cases where the file system ignores the case. The CLI's patterns have no flags. */
function ignoreCase(pattern: string): string {
  if (process.platform !== 'darwin' && process.platform !== 'win32') return pattern;
  return pattern.replace(/\\x00|[a-z]/g, (part) => {
    return part.length > 1 ? part : `[${part}${part.toUpperCase()}]`;
  });
}
