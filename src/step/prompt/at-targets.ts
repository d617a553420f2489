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

/** Sub-agents of CLI 0.61. The CLI adds a note to a prompt that names one with `@`. */
const BUILT_IN_AGENTS = ['codebase_investigator', 'cli_help', 'generalist', 'browser_agent'];

const LONGEST_INNOCENT_PATH = 20;
const LONGEST_PATH_PART = 255;
/** Cost of one check on the disk, in units of one character of text. */
const WORK_OF_A_DISK_CHECK = 1000;
const PUNCTUATION = new Set('()[]{}"\',;!.');

/** Predicts which `@path` the CLI would replace. */
export interface AtTargets {
  /** True if the CLI would replace `@path` by a file, a folder or an agent. */
  matches(path: string): Promise<boolean>;
}

/**
 * Follows the rules of the CLI. It first resolves the path from each workspace folder. If nothing is there, it takes
 * the first file of the workspace whose path contains the word, ignoring case: `@secret` finds `src/Secret.txt`.
 * Where the rules of the CLI are uncertain, the answer is a match.
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
    for (const candidate of listCandidates(path)) {
      await eventLoop.spend(candidate.length + WORK_OF_A_DISK_CHECK * workspaceDirs.length);
      if (namesExistingPath(candidate, workspaceDirs)) return true;
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
 * Lists the paths that the CLI looks up for one word: the word itself or, if the CLI takes it for a piece of a log,
 * the paths inside. Quotes therefore protect a short name but not a long one: `"@src/components/note.md"` is replaced.
 */
function listCandidates(path: string): string[] {
  const isSuspicious =
    /[\n\r\t]/.test(path) ||
    (path.length > LONGEST_INNOCENT_PATH && /"|\.\.\./.test(path)) ||
    path.split(/[/\\]/).some((part) => part.length > LONGEST_PATH_PART);
  if (!isSuspicious) return [path];
  return path.split(/\s+/).map((piece) => withoutPunctuation(piece).replace(/:\d.*$/, ''));
}

/** Trims by hand: a regular expression for the end would need quadratic time on a long row of dots. */
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

/** Lists agents by file name. The real name is inside the file, but by convention both are the same. */
function listMarkdown(folder: string): string[] {
  return readFolder(folder).flatMap(({ name }) => (name.endsWith('.md') ? parse(name).name : []));
}
