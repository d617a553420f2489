import { existsSync } from 'node:fs';
import { join, parse, relative, resolve } from 'node:path';
import { findRepository } from '../../base/fs/ignore-rules.js';
import { listFiles } from '../../base/fs/list-files.js';
import { isInside, toSlashes } from '../../base/fs/paths.js';
import { readFolder } from '../../base/fs/read-folder.js';
import {
  createEventLoopYield,
  type EventLoopYield,
} from '../../base/process/yield-to-event-loop.js';
import { createFileSearch, type FileSearch } from './file-search.js';

/** Sub-agents of CLI 0.61: naming one with `@` adds a note to the prompt. */
const BUILT_IN_AGENTS = ['codebase_investigator', 'cli_help', 'generalist', 'browser_agent'];

const LONGEST_INNOCENT_PATH = 20;
const LONGEST_PATH_PART = 255;
/** What a look at the disk costs, in units of one character. */
const WORK_OF_A_LOOK = 1000;
const PUNCTUATION = new Set('()[]{}"\',;!.');

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
  eventLoop: EventLoopYield = createEventLoopYield(),
): AtTargets {
  const answers = new Map<string, boolean>();
  let agents: ReadonlySet<string> | undefined;
  let files: Promise<FileSearch> | undefined;
  const search = async (path: string): Promise<boolean> => {
    agents ??= listAgents(workspaceDirs, geminiHome);
    if (agents.has(path)) return true;
    for (const reading of readings(path)) {
      await eventLoop.spend(reading.length + WORK_OF_A_LOOK * workspaceDirs.length);
      if (namesExistingPath(reading, workspaceDirs)) return true;
    }
    files ??= searchWorkspace(workspaceDirs, eventLoop);
    return (await files).finds(path);
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
  return path.split(/\s+/).map((piece) => withoutPunctuation(piece).replace(/:\d.*$/, ''));
}

/** No expression for the end of a piece: on a long row of dots before it, it would take for ever. */
function withoutPunctuation(piece: string): string {
  let [start, end] = [0, piece.length];
  while (start < end && PUNCTUATION.has(piece.charAt(start))) start++;
  while (end > start && PUNCTUATION.has(piece.charAt(end - 1))) end--;
  return piece.slice(start, end);
}

function namesExistingPath(path: string, workspaceDirs: readonly string[]): boolean {
  if (path === '' || path.includes('\0')) return false;
  return workspaceDirs.some((dir) => {
    const target = resolve(dir, path);
    return existsSync(target) && workspaceDirs.some((inside) => isInside(inside, target));
  });
}

async function searchWorkspace(
  workspaceDirs: readonly string[],
  eventLoop: EventLoopYield,
): Promise<FileSearch> {
  const lists = workspaceDirs.map(async (dir) => {
    const ignoreFiles = findRepository(dir) === undefined ? [] : ['.gitignore'];
    const files = await listFiles(dir, [...ignoreFiles, '.geminiignore'], {
      signal: eventLoop.signal,
    });
    return files.map((path) => toSlashes(relative(dir, path)));
  });
  return createFileSearch((await Promise.all(lists)).flat(), eventLoop);
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
