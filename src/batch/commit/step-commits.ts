import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import type { PlannedStep } from '../../api/batch-plan.js';
import type { BatchWarning } from '../../api/batch-report.js';
import type { ManifestFile } from '../../api/manifest.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { canonicalPath, realpathOf, toSlashes } from '../../base/fs/paths.js';
import { type BytePath, foldersAbove, onDisk, toBytePath } from '../isolation/byte-path.js';
import { gitLine } from '../isolation/git-output.js';
import type { NewLedgerEntry, StepResult } from '../ledger/ledger-entry.js';
import type { LedgerStepState } from '../ledger/ledger-step-state.js';
import { messageOfCommit } from './commit-message.js';
import { PathCommitter, StaleIndexError } from './commit-paths.js';

const MOST_PATHS = 20;
const NO_IDENTITY = /auto-detection is disabled|tell me who you are|empty ident/;
const LOCKED = /cannot lock ref|\.lock'|but expected/;

/** State of the batch, as far as commits need it. */
export interface CommitState {
  stepState(step: string): Pick<LedgerStepState, 'done' | 'committed'>;
  write(entry: NewLedgerEntry): Promise<void>;
}

export interface StepCommitsOptions {
  readonly state: CommitState;
  readonly stateDir: string;
  readonly warn: (warning: BatchWarning) => Promise<void>;
}

/**
 * Commits the files of steps whose result is in the ledger, one step after another. A commit that fails is a warning:
 * the next run tries again.
 */
export class StepCommits {
  readonly #options: StepCommitsOptions;
  readonly #committers = new Map<string, Promise<Repository>>();
  #last: Promise<void> = Promise.resolve();
  #isOpen = false;

  constructor(options: StepCommitsOptions) {
    this.#options = options;
  }

  /** Commits a step that this run has done. Does nothing for a step without `commit`. */
  commit(step: PlannedStep): Promise<void> {
    return this.#queue(step, false);
  }

  /** Commits a step that an earlier run has done, if that run has not done so. */
  commitLate(step: PlannedStep): Promise<void> {
    return this.#queue(step, true);
  }

  /** Removes temporary files. */
  async close(): Promise<void> {
    await this.#last;
    if (this.#isOpen) await rm(this.#folder, { recursive: true, force: true });
  }

  get #folder(): string {
    return join(this.#options.stateDir, 'commits');
  }

  #queue(step: PlannedStep, isLate: boolean): Promise<void> {
    const { done, committed } = this.#options.state.stepState(step.id);
    if (step.commit === undefined || done === undefined || committed !== undefined) {
      return Promise.resolve();
    }
    const changed = done.result.files.filter(({ kind }) => kind !== 'unchanged');
    if (changed.length === 0) return Promise.resolve();
    const next = this.#last.then(() => this.#commit(step, done.result, changed, isLate));
    this.#last = next.catch(() => {});
    return next;
  }

  async #commit(
    step: PlannedStep,
    result: StepResult,
    changed: readonly ManifestFile[],
    isLate: boolean,
  ): Promise<void> {
    const { state, warn } = this.#options;
    try {
      const { top, committer } = await this.#open(String(step.config['workingDir']));
      const paths = changed.flatMap(({ absolutePath }) => pathIn(top, absolutePath));
      const message = messageOfCommit(step, result);
      const commit = await committer.commit({ paths: [...new Set(paths)], message, isLate });
      await state.write({ type: 'committed', step: step.id, commit });
    } catch (error) {
      if (error instanceof StaleIndexError) {
        await state.write({ type: 'committed', step: step.id, commit: error.commit });
        await warn(describeStaleIndex(step, changed, error));
      } else if (ProviderError.isInstance(error)) await warn(describeFailure(step, error));
      else throw error;
    }
  }

  async #open(workingDir: string): Promise<Repository> {
    if (!this.#isOpen) {
      this.#isOpen = true;
      // A killed run may have left an index with a lock.
      await rm(this.#folder, { recursive: true, force: true });
      await mkdir(this.#folder, { recursive: true });
    }
    const known = this.#committers.get(workingDir);
    if (known !== undefined) return known;
    const index = join(this.#folder, `index-${this.#committers.size}`);
    const opening = openRepositoryOf(workingDir, index);
    this.#committers.set(workingDir, opening);
    opening.catch(() => this.#committers.delete(workingDir));
    return opening;
  }
}

interface Repository {
  /** Top folder of the working tree. */
  readonly top: string;
  readonly committer: PathCommitter;
}

async function openRepositoryOf(workingDir: string, indexFile: string): Promise<Repository> {
  const top = realpathOf(await gitLine({ folder: workingDir }, ['rev-parse', '--show-toplevel']));
  return { top, committer: new PathCommitter(top, indexFile) };
}

/** Returns the path of a file in a repository. Files outside, in a nested repository or in `.git` have none. */
function pathIn(top: string, absolutePath: string): BytePath[] {
  const inside = relative(top, canonicalPath(absolutePath));
  if (inside === '' || /^\.\.(?:\/|$)/.test(toSlashes(inside)) || isAbsolute(inside)) return [];
  const path = toBytePath(inside);
  if (path.split('/').some((name) => name.toLowerCase() === '.git')) return [];
  const isNested = foldersAbove(path).some((folder) => existsSync(onDisk(top, `${folder}/.git`)));
  return isNested ? [] : [path];
}

function describeFailure({ id }: PlannedStep, { message, stderrTail = '' }: ProviderError) {
  const reason = NO_IDENTITY.test(stderrTail)
    ? 'git does not know the author. Set `user.name` and `user.email` with `git config`'
    : `${message}. ${LOCKED.test(stderrTail) ? UNLOCK : 'Repair the repository as git says'}`;
  return {
    code: 'COMMIT_FAILED' as const,
    message: `Step ${id} was not committed: ${reason}, and run the same command again: the commit is made then. The changes of the step are merged`,
    steps: [id],
  };
}

const UNLOCK = 'Wait for the other git command, or remove its lock file if no git is running';

function describeStaleIndex(
  { id }: PlannedStep,
  files: readonly ManifestFile[],
  { commit, message }: StaleIndexError,
): BatchWarning {
  return {
    code: 'COMMIT_FAILED',
    message: `Step ${id} was committed as ${commit}, but the index was not updated: ${message}. Run \`git reset\` for these files, or the next commit reverts them`,
    steps: [id],
    paths: files.slice(0, MOST_PATHS).map(({ path }) => path),
  };
}
