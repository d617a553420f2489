import type { GitDir } from '../../base/git/run-git.js';
import { type BytePath, splitNames } from '../../batch/isolation/byte-path.js';
import { gitOutput } from '../../batch/isolation/git-output.js';

export const LINK_MODE = '120000';
const FILE_MODES = new Set(['100644', '100755', LINK_MODE]);
/** Line of `git ls-tree -r -l`: `mode type object size\tpath`. */
const ENTRY = /^(\d+) (\w+) ([0-9a-f]+) +(\d+|-)\t([\s\S]+)$/;
/** Characters that HFS+ ignores in names. */
const IGNORED_BY_HFS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
/** Names that Windows and macOS take for `.git`. */
const GIT_NAME = /^(?:\.git|git~\d+)(?:[ .]*$|[ .]*:)/i;
const MOST_LINKS = 40;

export interface TreeFile {
  readonly path: BytePath;
  readonly mode: string;
  readonly object: string;
  readonly bytes: number;
}

/** Lists all entries of a tree with the sizes of files. */
export async function readTreeFiles(git: GitDir, tree: string): Promise<TreeFile[]> {
  const output = await gitOutput(git, ['ls-tree', '-r', '-l', '-z', '--full-tree', tree]);
  return splitNames(output).map((line) => {
    const [, mode = '', , object = '', bytes = '', path = ''] = ENTRY.exec(line) ?? [];
    return { path, mode, object, bytes: Number(bytes) || 0 };
  });
}

/** Returns why no tree of a workspace may have this entry; undefined if it may. */
export function findForbidden(path: BytePath, mode: string): string | undefined {
  const names = path.split('/');
  if (names.some((name) => ['', '.', '..'].includes(name))) return 'leads out of the folder';
  if (names.some(isGitName)) return 'is a path of a git repository';
  if (!FILE_MODES.has(mode)) return mode === '160000' ? 'is a submodule' : 'is no file and no link';
  return undefined;
}

/** True for `.git` and for every name that some file system takes for `.git`. Names have one character per byte. */
export function isGitName(name: string): boolean {
  const text = Buffer.from(name, 'latin1').toString().replace(IGNORED_BY_HFS, '');
  // Windows takes a backslash for a separator.
  return text.split('\\').some((part) => GIT_NAME.test(part));
}

/**
 * Finds links that lead out of the tree, by their own target or through other links of the tree. A target that does not
 * exist in the tree is judged by its names. Links by path, each with its target.
 */
export function findEscapingLinks(links: ReadonlyMap<BytePath, string>): BytePath[] {
  return [...links.keys()].filter((path) => leadsOut(path, links));
}

function leadsOut(path: BytePath, links: ReadonlyMap<BytePath, string>): boolean {
  const pending = path.split('/').reverse();
  const at: string[] = [];
  let followed = 0;
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (name === '' || name === '.') continue;
    if (name === '..') {
      if (at.length === 0) return true;
      at.pop();
      continue;
    }
    const target = links.get([...at, name].join('/'));
    if (target === undefined) {
      at.push(name);
      continue;
    }
    // A circle of links leads nowhere.
    if (++followed > MOST_LINKS) return false;
    if (target.startsWith('/') || /^[a-z]:|^\\/i.test(target)) return true;
    if (target.includes('\\') && target.split('\\').includes('..')) return true;
    pending.push(...target.split('/').reverse());
  }
  return at.some(isGitName);
}

/** Reads the targets of the links of a tree, by path. */
export async function readLinks(
  git: GitDir,
  files: readonly Pick<TreeFile, 'path' | 'mode' | 'object'>[],
): Promise<Map<BytePath, string>> {
  const links = files.filter(({ mode }) => mode === LINK_MODE);
  if (links.length === 0) return new Map();
  const stdin = Buffer.from(links.map(({ object }) => `${object}\n`).join(''));
  const output = await gitOutput(git, ['cat-file', '--batch'], { stdin });
  const targets = new Map<BytePath, string>();
  let at = 0;
  for (const { path } of links) {
    const end = output.indexOf('\n', at);
    const bytes = Number(output.subarray(at, end).toString().split(' ')[2]);
    targets.set(path, output.toString('latin1', end + 1, end + 1 + bytes));
    at = end + 1 + bytes + 1;
  }
  return targets;
}
