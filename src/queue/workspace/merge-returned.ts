import type { ManifestFile } from '../../api/manifest.js';
import type { StepWarning } from '../../api/result.js';
import type { StepChangeSet } from '../../batch/isolation/change-set.js';
import type { AttemptResult } from '../../batch/ledger/ledger-entry.js';
import { checkMerge } from '../../batch/run/merge-attempt.js';

export interface MergedChanges {
  readonly files: readonly ManifestFile[];
  readonly warnings: readonly StepWarning[];
  /** Written and removed paths, relative to the working directory. */
  readonly paths: readonly string[];
}

export interface MergeReturnedOptions {
  readonly dir: string;
  readonly keptPatch: string;
  readonly result: AttemptResult;
}

/** Merges the changes of a step into the caller's folder and verifies the files of the manifest on the disk. */
export async function mergeReturned(
  changes: StepChangeSet,
  { dir, keptPatch, result }: MergeReturnedOptions,
): Promise<MergedChanges> {
  const [outcome] = await Promise.allSettled([changes.mergeBack(keptPatch)]);
  const request = { result, changes, workingDir: dir, keptPatch, rival: 'owner' } as const;
  const { files, warnings } = await checkMerge(outcome, request);
  await changes.keepMerge();
  const paths = outcome.status === 'fulfilled' && outcome.value.merged ? outcome.value.paths : [];
  return { files, warnings, paths };
}
