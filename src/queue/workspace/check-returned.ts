import { ProviderError } from '../../base/errors/provider-error.js';
import type { GitDir } from '../../base/git/run-git.js';
import {
  type BytePath,
  describePath,
  joinNames,
  splitNames,
} from '../../batch/isolation/byte-path.js';
import { gitOutput } from '../../batch/isolation/git-output.js';
import { checkFileSizes, checkShipLimit, type ResolvedShipLimits } from './check-limit.js';
import {
  findEscapingLinks,
  findForbidden,
  LINK_MODE,
  readLinks,
  readTreeFiles,
} from './tree-check.js';

const RAW = /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) \w$/;
const NO_FILE = '000000';

/** Change of one path that a worker has sent. */
export interface ReturnedChange {
  readonly path: BytePath;
  readonly isRemoved: boolean;
  /** Mode and object before the step; undefined if the path is new. */
  readonly before: string | undefined;
  readonly mode: string;
  readonly object: string;
}

export interface ReturnedTrees {
  readonly tree: string;
  readonly theirs: string;
  readonly limits: ResolvedShipLimits;
  readonly subject: string;
}

/** Reads the changes of a worker. Throws if one of them leads out of the folder or into `.git`. */
export async function checkReturned(
  git: GitDir,
  { tree, theirs, limits, subject }: ReturnedTrees,
): Promise<ReturnedChange[]> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', tree, theirs];
  const words = splitNames(await gitOutput(git, args));
  const changes: ReturnedChange[] = [];
  let touchesLinks = false;
  for (let index = 0; index + 1 < words.length; index += 2) {
    const [, from = '', mode = '', old = '', object = ''] = RAW.exec(words[index] ?? '') ?? [];
    const path = words[index + 1] ?? '';
    const isRemoved = mode === NO_FILE;
    const problem = findForbidden(path, isRemoved ? from : mode);
    if (problem !== undefined) throw refusedChange(path, problem);
    touchesLinks ||= from === LINK_MODE || mode === LINK_MODE;
    const before = from === NO_FILE ? undefined : `${from} ${old}`;
    changes.push({ path, isRemoved, before, mode, object });
  }
  await checkSizes(git, changes, limits, subject);
  if (!touchesLinks) return changes;
  const [escaping] = findEscapingLinks(await readLinks(git, await readTreeFiles(git, theirs)));
  if (escaping !== undefined)
    throw refusedChange(escaping, 'is a link that leads out of the folder');
  return changes;
}

async function checkSizes(
  git: GitDir,
  changes: readonly ReturnedChange[],
  limits: ResolvedShipLimits,
  subject: string,
): Promise<void> {
  const written = changes.filter(({ isRemoved }) => !isRemoved);
  checkShipLimit(limits, 'maxFiles', changes.length, subject);
  if (written.length === 0) return;
  const stdin = Buffer.from(written.map(({ object }) => `${object}\n`).join(''));
  const output = await gitOutput(git, ['cat-file', '--batch-check=%(objectsize)'], { stdin });
  const sizes = output.toString().trim().split('\n').map(Number);
  const files = written.map(({ path }, index) => {
    return { name: describePath(path), bytes: sizes[index] ?? 0 };
  });
  checkFileSizes(limits, 'maxChangesBytes', files, subject);
}

/** Writes the changed files and links to an empty folder. */
export async function checkOutReturned(
  git: GitDir,
  theirs: string,
  changes: readonly ReturnedChange[],
): Promise<void> {
  const written = changes.filter(({ isRemoved }) => !isRemoved).map(({ path }) => path);
  if (written.length === 0) return;
  const from = ['--pathspec-from-file=-', '--pathspec-file-nul'];
  const args = ['--literal-pathspecs', 'checkout', '-q', theirs, ...from];
  await gitOutput(git, args, { stdin: joinNames(written) });
}

function refusedChange(path: BytePath, problem: string): ProviderError {
  const name = describePath(path);
  const message = `The changes of the step were refused: ${name} ${problem}`;
  return new ProviderError({
    code: 'EXPECTATION_FAILED',
    message,
    hint: 'Nothing was applied. Tell the agent in the prompt to leave such paths alone.',
    missing: [{ kind: 'merge', message, paths: [name] }],
  });
}
