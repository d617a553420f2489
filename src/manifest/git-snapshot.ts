import { join } from 'node:path';
import { runCommand } from '../process/run-command.js';
import { realpathOf } from '../workspace/paths.js';
import { type FileState, readFileState, stateOf } from './fingerprint.js';
import type { WorkspaceChange, WorkspaceSnapshot } from './workspace-change.js';

const GIT_TIMEOUT_MS = 60_000;
/** Beyond this many, old contents are not fetched: each is a call of git. */
const MOST_OLD_CONTENTS = 200;
/** What a repository without a commit can be compared with; git knows it in every repository. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/**
 * For a folder in a repository: git knows in one call which of 10,000 files are not as they were committed.
 * Only those are looked at, before and after. Undefined where git cannot be asked.
 */
export async function takeGitSnapshot(
  root: string,
  signal?: AbortSignal,
): Promise<WorkspaceSnapshot | undefined> {
  const repository = (await git(root, ['rev-parse', '--show-toplevel'], signal))
    ?.toString()
    .trimEnd();
  const dirtyPaths = await listDirty(root, signal);
  if (repository === undefined || dirtyPaths === undefined) return undefined;
  const head = await readHead(root, signal);
  const before = new Map<string, FileState | null>();
  for (const path of dirtyPaths) {
    signal?.throwIfAborted();
    before.set(path, (await readFileState(join(repository, path))) ?? null);
  }
  return {
    changes: async () => {
      const dirtyNow = await listDirty(root);
      if (dirtyNow === undefined) throw new Error('git does not answer any more');
      const candidates = new Set([
        ...before.keys(),
        ...dirtyNow,
        ...(await listCommitted(root, head)),
      ]);
      const changes: WorkspaceChange[] = [];
      for (const path of candidates) {
        const mayFetch = changes.length < MOST_OLD_CONTENTS;
        const old = before.has(path)
          ? (before.get(path) ?? null)
          : await readCommitted(root, head, path, mayFetch);
        const now = await readFileState(join(repository, path));
        if (old === null ? now === undefined : old?.sha256 === now?.sha256) continue;
        changes.push({ path: join(repository, path), before: old });
      }
      return changes;
    },
  };
}

/** Paths from the top of the repository that are untracked or differ from what was committed. */
async function listDirty(root: string, signal?: AbortSignal): Promise<string[] | undefined> {
  const args = [
    'status',
    '--porcelain=v2',
    '-z',
    '--untracked-files=all',
    '--ignore-submodules=all',
    '--no-renames',
    '--',
    '.',
  ];
  const status = await git(root, args, signal);
  return status
    ?.toString()
    .split('\0')
    .flatMap((line) => PATH_IN_STATUS.exec(line)?.[1] ?? []);
}

/** `1 XY sub mH mI mW hH hI path`, `u XY sub m1 m2 m3 mW h1 h2 h3 path`, `? path`. */
const PATH_IN_STATUS = /^(?:1 (?:\S+ ){7}|u (?:\S+ ){9}|\? )([\s\S]+)$/;

/** What a commit made during the run has changed: the status no longer shows it. */
async function listCommitted(root: string, head: string | undefined): Promise<string[]> {
  if ((await readHead(root)) === head) return [];
  const args = ['diff', '--name-only', '--no-renames', '-z', head ?? EMPTY_TREE, 'HEAD', '--', '.'];
  return ((await git(root, args))?.toString() ?? '').split('\0').filter((path) => path !== '');
}

async function readHead(root: string, signal?: AbortSignal): Promise<string | undefined> {
  return (await git(root, ['rev-parse', '--verify', 'HEAD'], signal))?.toString().trim();
}

/** The file as a checkout would write it; null where the commit has none. */
async function readCommitted(
  root: string,
  head: string | undefined,
  path: string,
  mayFetch: boolean,
): Promise<FileState | null | undefined> {
  if (head === undefined) return null;
  if (!mayFetch) return undefined;
  const content = await git(root, ['cat-file', '--filters', `${head}:${path}`]);
  return content === undefined ? null : stateOf(content);
}

function git(
  root: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<Buffer | undefined> {
  return runCommand({
    command: 'git',
    // Never touch the index, never start a helper of the repository's choosing.
    args: [
      '-C',
      realpathOf(root),
      '-c',
      'core.fsmonitor=false',
      '-c',
      'core.quotePath=false',
      ...args,
    ],
    env: { GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' },
    timeoutMs: GIT_TIMEOUT_MS,
    signal,
  });
}
