import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { z } from 'zod';
import { sha256 } from '../../base/fs/fingerprint.js';
import {
  type BytePath,
  describePath,
  onDisk,
  splitNames,
} from '../../batch/isolation/byte-path.js';
import { gitOutput } from '../../batch/isolation/git-output.js';
import { readEntry } from '../../batch/isolation/tree-entry.js';
import { copyLayer, countBytes, stampLayer } from './copy-layer.js';
import { withFolderLock } from './folder-lock.js';
import { toIgnoreRule } from './git-folder.js';
import { parseSetupCommand, runSetup } from './run-setup.js';
import type { AttemptFolder } from './spare-trees.js';
import type { TreeFile } from './tree-check.js';
import { markUsed, shrinkCache, type WorkerCache, writeBytes } from './worker-cache.js';

/** Files that decide what a setup command installs. */
const LOCK_FILES = new Set([
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'yarn.lock',
  'bun.lock',
  'bun.lockb',
  'deno.lock',
  'poetry.lock',
  'uv.lock',
  'Pipfile.lock',
  'requirements.txt',
  'Cargo.lock',
  'go.sum',
  'Gemfile.lock',
  'composer.lock',
  'mix.lock',
]);
const LIST = 'paths.json';
const listSchema = z.array(z.string());
const stampSchema = z.object({ key: z.string(), paths: listSchema, stamp: z.string() });

/** Command that prepares a worktree: installs dependencies, for example. */
export interface WorkspaceSetup {
  /** Command line without a shell, or program and arguments. Runs in the working directory of the step. */
  readonly command: string | readonly string[];
  /**
   * Longest time of the command.
   *
   * @defaultValue 10 minutes
   */
  readonly timeoutMs?: number | undefined;
  /** Names of variables with model keys that the command gets all the same. */
  readonly variables?: readonly string[] | undefined;
}

export interface SetupTarget {
  /** Repository of the attempt; its folder is the worktree. */
  readonly git: { readonly folder: string; readonly gitDir: string };
  readonly treeName: string;
  readonly files: readonly TreeFile[];
  /** Working directory of the step in the worktree. */
  readonly dir: string;
  readonly attempt: AttemptFolder;
  readonly signal?: AbortSignal | undefined;
}

/** What a setup command has created, for one worktree. */
export interface SetupLayer {
  /** Paths of the layer that an earlier attempt has left in the worktree as they were. */
  findKept(): Promise<readonly BytePath[]>;
  /** Gives the worktree the layer, unless `kept` says that the worktree has it. Returns notes. */
  apply(kept: readonly BytePath[]): Promise<string[]>;
}

/**
 * Prepares what the setup command creates for a worktree. The command runs once for each set of lock files, in a tree that
 * no agent sees; each worktree gets a copy of the new files, so that no step can change them for later ones.
 */
export function createSetupLayer(
  cache: WorkerCache,
  setup: WorkspaceSetup,
  target: SetupTarget,
): SetupLayer {
  const { git, signal, attempt } = target;
  const command = parseSetupCommand(setup.command);
  const key = keyOf(command, target);
  const path = join(cache.setups, key);
  const stampFile = join(attempt.folder, 'layer.json');
  return {
    findKept: async () => {
      const stamp = readStamp(stampFile);
      if (stamp?.key !== key) return [];
      return (await stampLayer(git.folder, stamp.paths)) === stamp.stamp ? stamp.paths : [];
    },
    apply: async (kept) => {
      if (!existsSync(path)) {
        const request = { command, setup, target };
        await withFolderLock(`${path}.lock`, () => buildLayer(path, request), signal);
        await shrinkCache(cache, { kept: key, signal });
      }
      markUsed(path);
      const paths = listSchema.parse(JSON.parse(readFileSync(join(path, LIST), 'utf8')));
      excludePaths(git, paths);
      if (kept.length > 0) return [];
      rmSync(stampFile, { force: true });
      const taken = paths.filter((at) => readEntry(git.folder, at) !== undefined);
      const isMerged = taken.length > 0;
      await copyLayer(join(path, 'files'), git.folder, paths, { isMerged, signal });
      rmSync(join(attempt.folder, 'setup'), { recursive: true, force: true });
      if (!isMerged) {
        const stamp = await stampLayer(git.folder, paths);
        writeFileSync(stampFile, JSON.stringify({ key, paths, stamp }));
      }
      return taken.map((at) => {
        return `Path ${describePath(at)} is in the workspace: setup did not replace it`;
      });
    },
  };
}

/** Lets git ignore the paths: what the command has created is no change of the step. */
function excludePaths({ folder, gitDir }: SetupTarget['git'], paths: readonly BytePath[]): void {
  const rules = paths.map((at) => `${toIgnoreRule(at)}\n`).join('');
  for (const at of [gitDir, join(folder, '.git')]) {
    appendFileSync(join(at, 'info', 'exclude'), Buffer.from(rules, 'latin1'));
  }
}

function readStamp(file: string): z.infer<typeof stampSchema> | undefined {
  try {
    return stampSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

function keyOf(command: readonly string[], { git, treeName, files, dir }: SetupTarget): string {
  const locks = files
    .filter(({ path }) => LOCK_FILES.has(path.slice(path.lastIndexOf('/') + 1)))
    .map(({ path, object }) => [path, object]);
  const content = locks.length === 0 ? treeName : locks;
  const machine = [process.platform, process.arch, process.version];
  return sha256(JSON.stringify([command, relative(git.folder, dir), machine, content]));
}

interface LayerRequest {
  readonly command: readonly string[];
  readonly setup: WorkspaceSetup;
  readonly target: SetupTarget;
}

async function buildLayer(path: string, { command, setup, target }: LayerRequest): Promise<void> {
  if (existsSync(path)) return;
  const { git, treeName, dir, attempt, signal } = target;
  const scratch = join(attempt.folder, 'setup');
  const tree = join(scratch, 'tree');
  mkdirSync(tree, { recursive: true });
  const own = { ...git, folder: tree, indexFile: join(attempt.folder, 'index.setup') };
  await gitOutput(own, ['read-tree', '--reset', '-u', treeName], { signal });
  const cwd = join(tree, relative(git.folder, dir));
  mkdirSync(cwd, { recursive: true });
  const { timeoutMs, variables } = setup;
  await runSetup(command, { cwd, timeoutMs, variables, signal });
  const layer = join(scratch, 'layer');
  const paths = await findCreated(own);
  for (const at of paths) {
    const parent = at.slice(0, Math.max(0, at.lastIndexOf('/')));
    mkdirSync(onDisk(layer, `files/${parent}`), { recursive: true });
    renameSync(onDisk(tree, at), onDisk(join(layer, 'files'), at));
  }
  mkdirSync(layer, { recursive: true });
  writeFileSync(join(layer, LIST), JSON.stringify(paths));
  writeBytes(layer, await countBytes(layer));
  renameSync(layer, path);
}

/** Lists untracked and ignored paths; a folder with such entries only is one path. */
async function findCreated(git: {
  readonly folder: string;
  readonly gitDir: string;
  readonly indexFile: string;
}): Promise<BytePath[]> {
  const args = ['ls-files', '--others', '--directory', '--no-empty-directory', '-z'];
  return splitNames(await gitOutput(git, args)).map((path) => path.replace(/\/$/, ''));
}
