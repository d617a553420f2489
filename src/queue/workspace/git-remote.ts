import { ProviderError } from '../../base/errors/provider-error.js';
import type { GitDir } from '../../base/git/run-git.js';
import { gitOutput } from '../../batch/isolation/git-output.js';
import { writeCommit } from '../../batch/isolation/write-commit.js';
import type { CallerRepository, ShippedFolder } from './caller-repository.js';
import { checkShipLimit, type ResolvedShipLimits } from './check-limit.js';
import { readBases, rememberBase } from './known-bases.js';
import { packChange, packWhole } from './make-pack.js';
import type { ShippedWorkspace } from './shipped-workspace.js';

const REFS = 'refs/gemini-cli-provider';
const URL_FORM = /^(?:https?|ssh|git|file):\/\/[^\s]+$|^[\w.-]+@[\w.-]+:[^\s]+$/;
/** A name by which a path leaves the folder before it. */
const DOT_NAME = /\/\.{1,2}(?:\/|$)|%2e/i;
/** Commands such as `ext::` would run a program that the URL names. */
const PROTOCOLS = [
  'protocol.allow=never',
  ...['https', 'http', 'ssh', 'git', 'file'].map((name) => `protocol.${name}.allow=always`),
];

/** Throws unless the text is the URL of a git remote without a password. */
export function checkRemote(url: string): void {
  const isPlain = URL_FORM.test(url) && !url.startsWith('-');
  const hasPassword = /^\w+:\/\/[^/@]*:[^/@]*@/.test(url);
  if (isPlain && !hasPassword) return;
  throw new ProviderError({
    code: 'INVALID_CONFIG',
    message: hasPassword
      ? 'The URL in `workspace.remote` has a password, and passwords do not travel'
      : 'The option `workspace.remote` must be an https, ssh, git or file URL of a git repository',
    hint: hasPassword
      ? 'Use a URL without a password, and let a credential helper or an SSH key of each machine log in.'
      : 'Give a URL such as `ssh://git@host/steps.git`, and a path as `file:///srv/steps.git`.',
  });
}

/** Throws if a worker may not fetch from this URL. `file:` URLs name files of the worker's own machine. */
export function checkWorkerRemote(url: string, allowed: readonly string[] | undefined): void {
  checkRemote(url);
  const isAllowed =
    allowed === undefined
      ? !url.startsWith('file:')
      : !DOT_NAME.test(url) && allowed.some((beginning) => beginsWith(url, beginning));
  if (isAllowed) return;
  throw new ProviderError({
    code: 'INVALID_CONFIG',
    message: `The worker may not fetch from the git remote ${url}`,
    hint: 'Name the beginning of the URL in `remotes` of the worker (`--git-remote`).',
  });
}

/** True if the beginning ends where a part of the URL ends: `https://git.example` is no beginning of `https://git.example.org`. */
function beginsWith(url: string, beginning: string): boolean {
  if (!url.startsWith(beginning)) return false;
  return /[/:]$/.test(beginning) || /^(?:$|[/:]|\.git\/?$)/.test(url.slice(beginning.length));
}

interface RemoteCargo {
  readonly shipped: ShippedFolder;
  readonly caller: CallerRepository;
  readonly limits: ResolvedShipLimits;
  readonly tree: string;
  readonly signal?: AbortSignal | undefined;
}

/** Pushes the base, if it is new, and the state of the folder. */
export async function carryByRemote(
  remote: string,
  { shipped, caller, limits, tree, signal }: RemoteCargo,
): Promise<Pick<ShippedWorkspace, 'base' | 'snapshot' | 'remote'>> {
  checkRemote(remote);
  const git = { folder: shipped.root, gitDir: caller.gitDir };
  const known = readBases(caller.folder).find((base) => base.remote === remote);
  const base = known?.commit ?? writeCommit(caller.gitDir, tree, undefined, 0);
  const commit = writeCommit(caller.gitDir, tree, base, 0);
  const pack =
    known === undefined
      ? await packWhole(git, base, signal)
      : await packChange(git, commit, base, signal);
  checkShipLimit(limits, 'maxUploadBytes', pack.length, shipped.root);
  await push(git, remote, [base, commit], signal);
  if (known === undefined) {
    await rememberBase(caller.folder, {
      commit: base,
      tree,
      bytes: 0,
      remote,
      checkedAt: Date.now(),
    });
  }
  return { base: { commit: base }, snapshot: { commit }, remote };
}

/** Pushes commits, each to a ref with its own name. */
export async function push(
  git: GitDir,
  remote: string,
  commits: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  const refs = [...new Set(commits)].map((commit) => `${commit}:${refOf(commit)}`);
  const args = ['push', '--quiet', '--no-verify', '--', remote, ...refs];
  await gitOutput(git, args, { settings: PROTOCOLS, signal });
}

/** Fetches one commit. Git checks every object. */
export async function fetchCommit(
  git: GitDir,
  remote: string,
  commit: string,
  signal?: AbortSignal,
): Promise<void> {
  checkRemote(remote);
  const args = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--', remote];
  await gitOutput(git, [...args, `${refOf(commit)}:${refOf(commit)}`], {
    settings: [...PROTOCOLS, 'fetch.fsckObjects=true'],
    signal,
  });
}

function refOf(commit: string): string {
  return `${REFS}/${commit}`;
}
