import { existsSync } from 'node:fs';
import { join, parse, relative, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { findRepository } from '../workspace/ignore-rules.js';
import { listFiles } from '../workspace/list-files.js';
import { isInside, toSlashes } from '../workspace/paths.js';
import { readFolder } from '../workspace/read-folder.js';

/** Sub-agents of CLI 0.61: naming one with `@` adds a note to the prompt. */
const BUILT_IN_AGENTS = ['codebase_investigator', 'cli_help', 'generalist', 'browser_agent'];

const LONGEST_INNOCENT_PATH = 20;
const LONGEST_PATH_PART = 255;

/** Tells whether the CLI would put something in the place of `@path`. */
export interface AtTargets {
  matches(path: string): Promise<boolean>;
}

/**
 * The CLI takes a path as it is, from any workspace folder, and failing that the first file anywhere in the
 * workspace whose path contains the word, in upper or lower case: `@secret` finds `src/Secret.txt`.
 * Where its rules are not certain, this errs on the side of a match.
 */
export function createAtTargets(
  workspaceDirs: readonly string[],
  geminiHome: string | undefined,
  signal?: AbortSignal,
): AtTargets {
  const answers = new Map<string, boolean>();
  let agents: ReadonlySet<string> | undefined;
  let files: Promise<string[]> | undefined;
  const search = async (path: string): Promise<boolean> => {
    agents ??= listAgents(workspaceDirs, geminiHome);
    if (agents.has(path)) return true;
    if (readings(path).some((reading) => namesExistingPath(reading, workspaceDirs))) return true;
    files ??= listWorkspace(workspaceDirs, signal);
    const paths = await files;
    // A prompt may have thousands of such words, and each is looked for among all files.
    await nextTurn();
    signal?.throwIfAborted();
    const pattern = searchPattern(path);
    return paths.some((file) => pattern.test(file));
  };
  return {
    matches: async (path) => {
      const known = answers.get(path) ?? (await search(path));
      answers.set(path, known);
      return known;
    },
  };
}

/**
 * The path itself, or, where the CLI takes it for a piece of a log, the paths that it finds in there. That is
 * why quotes protect a short name and not a long one: `"@src/components/note.md"` is pulled in.
 */
function readings(path: string): string[] {
  const isSuspicious =
    /[\n\r\t]/.test(path) ||
    (path.length > LONGEST_INNOCENT_PATH && /"|\.\.\./.test(path)) ||
    path.split(/[/\\]/).some((part) => part.length > LONGEST_PATH_PART);
  if (!isSuspicious) return [path];
  return path.split(/\s+/).map((piece) => {
    return piece.replace(/^[()[\]{}"',;!.]+|[()[\]{}"',;!.]+$/g, '').replace(/:\d+(:\d+)?.*$/, '');
  });
}

function namesExistingPath(path: string, workspaceDirs: readonly string[]): boolean {
  if (path === '' || path.includes('\0')) return false;
  return workspaceDirs.some((dir) => {
    const target = resolve(dir, path);
    return existsSync(target) && workspaceDirs.some((inside) => isInside(inside, target));
  });
}

/** As the pattern `**` + `/*word*`: the word within one path segment or across the slashes it has itself. */
function searchPattern(word: string): RegExp {
  const literal = word.replace(/[.+^${}()|[\]\\?]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`(^|/)[^/]*${literal}[^/]*$`, 'is');
}

async function listWorkspace(
  workspaceDirs: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const lists = workspaceDirs.map(async (dir) => {
    const ignoreFiles = findRepository(dir) === undefined ? [] : ['.gitignore'];
    const files = await listFiles(dir, [...ignoreFiles, '.geminiignore'], signal);
    return files.map((path) => toSlashes(relative(dir, path)));
  });
  return (await Promise.all(lists)).flat();
}

function listAgents(
  workspaceDirs: readonly string[],
  geminiHome: string | undefined,
): ReadonlySet<string> {
  const ofProjects = workspaceDirs.map((dir) => join(dir, '.gemini'));
  const folders = geminiHome === undefined ? ofProjects : [geminiHome, ...ofProjects];
  const own = folders.flatMap((folder) => listMarkdown(join(folder, 'agents')));
  return new Set([...BUILT_IN_AGENTS, ...own]);
}

/** An agent is named in its file; by convention the file has the same name. */
function listMarkdown(folder: string): string[] {
  return readFolder(folder).flatMap(({ name }) => (name.endsWith('.md') ? parse(name).name : []));
}
