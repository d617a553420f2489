import { rmSync } from 'node:fs';
import type { ManifestFile } from '../../api/manifest.js';
import type { StepWarning } from '../../api/result.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { readBeginning } from '../../base/fs/read-beginning.js';
import { statIfThere } from '../../base/fs/stats.js';
import { openSaved } from '../../batch/isolation/open-saved.js';
import { dropSaved } from '../../batch/isolation/saved-changes.js';
import type { AttemptResult } from '../../batch/ledger/ledger-entry.js';
import { checkMerge } from '../../batch/run/merge-attempt.js';

/**
 * State of a patch. `kept`: the step has failed, so that its changes are in the patch file only. `expired`: the server has
 * forgotten the job; the patch file is still there.
 */
export type PatchState = 'ready' | 'applied' | 'discarded' | 'kept' | 'expired';

export interface PatchOrigin {
  readonly stateDir: string;
  /** Id of the saved changes. Absent for a failed step. */
  readonly savedId?: string | undefined;
  readonly kind: 'worktree' | 'copy';
  /** Folder that the changes are for. */
  readonly cwd: string;
  readonly file: string;
  /** Result of the step, with the paths of its workspace. Absent for a failed step. */
  readonly result?: AttemptResult | undefined;
}

export interface AppliedPatch {
  readonly files: readonly ManifestFile[];
  readonly warnings: readonly StepWarning[];
}

/** Changes of an isolated step. They are in no folder of the user until they are applied. */
export class EditPatch {
  readonly #origin: PatchOrigin;
  #state: PatchState;

  constructor(origin: PatchOrigin) {
    this.#origin = origin;
    this.#state = origin.savedId === undefined ? 'kept' : 'ready';
  }

  get state(): PatchState {
    return this.#state;
  }

  /** Path of the patch file, for `git apply --3way`; undefined after the patch was applied or discarded. */
  get file(): string | undefined {
    return ['applied', 'discarded'].includes(this.#state) ? undefined : this.#origin.file;
  }

  get bytes(): number {
    return this.file === undefined ? 0 : (statIfThere(this.file)?.size ?? 0);
  }

  /** Reads the patch, up to a number of bytes. Undefined if there is no patch file. */
  read(mostBytes: number): string | undefined {
    if (this.file === undefined || !statIfThere(this.file)?.isFile()) return undefined;
    return readBeginning(this.file, mostBytes).toString('utf8');
  }

  /**
   * Makes the changes in the folder: all of them or none. A folder that has changed meanwhile is merged. Throws
   * EXPECTATION_FAILED if that is not possible: nothing was changed then, and the patch can be applied later.
   */
  async apply(): Promise<AppliedPatch> {
    const { stateDir, savedId, kind, cwd: workspaceDir, file: keptPatch, result } = this.#origin;
    if (this.#state !== 'ready' || savedId === undefined || result === undefined)
      throw this.#refuse();
    const changes = await openSaved({ stateDir, id: savedId, workspaceDir, kind });
    if (changes === undefined) throw damaged(keptPatch);
    try {
      const [outcome] = await Promise.allSettled([changes.mergeBack(keptPatch)]);
      const request = { result, changes, workingDir: workspaceDir, keptPatch } as const;
      const applied = await checkMerge(outcome, { ...request, rival: 'owner' });
      await changes.keepMerge();
      await changes.drop();
      this.#state = 'applied';
      return applied;
    } finally {
      await changes.dispose();
    }
  }

  /** Removes the changes and the patch file. */
  discard(): void {
    this.#drop();
    rmSync(this.#origin.file, { recursive: true, force: true });
    if (this.#state !== 'applied') this.#state = 'discarded';
  }

  /** Gives up the changes that can be applied. The patch file stays, because results have named it. */
  release(): void {
    this.#drop();
    if (this.#state === 'ready') this.#state = 'expired';
  }

  #drop(): void {
    const { stateDir, savedId } = this.#origin;
    if (this.#state === 'ready' && savedId !== undefined) dropSaved(stateDir, savedId);
  }

  #refuse(): ProviderError {
    const reasons = {
      applied: 'was applied already',
      discarded: 'was discarded',
      kept: 'belongs to a step that has failed',
      expired: 'is no longer known',
      ready: 'is not saved',
    };
    const by =
      this.file === undefined ? '' : ` The patch is in ${this.file}: use git apply --3way.`;
    return new ProviderError({
      code: 'INVALID_INPUT',
      message: `The patch ${reasons[this.#state]}`,
      hint: `Only a patch in the state "ready" can be applied.${by}`,
    });
  }
}

function damaged(file: string): ProviderError {
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: 'The saved changes are damaged, or the repository has lost their objects',
    hint: `The patch is in ${file}: use git apply --3way, or run the step again.`,
  });
}
