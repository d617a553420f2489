import { rm } from 'node:fs/promises';
import { isAbsolute, relative } from 'node:path';
import type { ManifestFile } from '../../api/manifest.js';
import type { StepWarning } from '../../api/result.js';
import { messageOf } from '../../base/errors/message-of.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { readFileState } from '../../base/fs/fingerprint.js';
import { toSlashes } from '../../base/fs/paths.js';
import type { ChangeSet, MergedState, MergeOutcome } from '../isolation/isolated-workspace.js';
import type { AttemptResult } from '../ledger/ledger-entry.js';

export interface MergedAttempt {
  readonly files: readonly ManifestFile[];
  /** Limits of the isolation that this step met. */
  readonly warnings: readonly StepWarning[];
}

export interface AttemptMerge {
  readonly result: AttemptResult;
  readonly changes: ChangeSet;
  readonly workingDir: string;
  /** Path of the patch, if the changes cannot be merged. */
  readonly keptPatch: string;
  /** Who else may have changed the files: other steps of the batch, or the owner of the folder. Default: `steps`. */
  readonly rival?: 'steps' | 'owner' | undefined;
}

/**
 * Checks the outcome of a merge into the user's workspace and returns the files of the step with their paths there. The
 * merge is provisional: unless the ledger gets the step's `done` line, `dispose()` or the next start reverts it.
 */
export async function checkMerge(
  outcome: PromiseSettledResult<MergeOutcome>,
  { result, changes, workingDir, keptPatch, rival = 'steps' }: AttemptMerge,
): Promise<MergedAttempt> {
  if (outcome.status === 'rejected') {
    throw describeMergeFailure(outcome.reason, result, await keepPatch(changes, keptPatch));
  }
  const merge = outcome.value;
  if (!merge.merged) throw describeConflicts(merge, result, rival);
  const files: VerifiedFile[] = [];
  for (const file of result.files) files.push(await verifyFile(file, changes, workingDir));
  const wrong = files.filter(({ state }) => state === 'different').map(({ file }) => file.path);
  if (wrong.length > 0) {
    throw describeUnverified(wrong, result, await keepPatch(changes, keptPatch));
  }
  // A patch that an earlier attempt kept is obsolete after a successful merge.
  await rm(keptPatch, { recursive: true, force: true });
  const unmerged = files.filter(({ state }) => state === 'not-merged').map(({ file }) => file.path);
  const notes = new Set([
    ...changes.notes,
    ...merge.notes,
    ...unmerged.map((path) => `File ${path} was not merged: it is in a folder of links`),
  ]);
  const warnings = [...notes].map((message) => ({ code: 'NOT_ISOLATED' as const, message }));
  return { files: files.map(({ file }) => file), warnings };
}

/** Keeps the changes of a step whose merge has failed. Returns the reason as text if that fails too. */
function keepPatch(changes: ChangeSet, patchFile: string): Promise<string> {
  return changes.keepPatch(patchFile).then(describeKept, describeNotKept);
}

/** Tells the user where the changes of a failed step are kept. */
export function describeKept(kept: string | undefined): string {
  return kept === undefined ? 'There are no changes to keep.' : `The changes are kept in ${kept}.`;
}

export function describeNotKept(error: unknown): string {
  return `The changes could not be kept: ${messageOf(error)}.`;
}

function describeConflicts(
  { conflicts, patchFile }: Extract<MergeOutcome, { merged: false }>,
  result: AttemptResult,
  rival: 'steps' | 'owner',
): ProviderError {
  const paths = conflicts.map(({ path }) => path);
  const unverified = conflicts.filter(({ reason }) => reason === 'unverified');
  if (unverified.length > 0) {
    return describeUnverified(paths, result, `The changes are kept in ${patchFile}.`);
  }
  return mergeError(
    result,
    rival === 'steps'
      ? `Merge conflict with changes of other steps: ${paths.join(', ')}`
      : `Merge conflict with changes that the folder got while the step ran elsewhere: ${paths.join(', ')}`,
    paths,
    rival === 'steps'
      ? `Nothing was merged. The changes are kept in ${patchFile}: apply them by hand, or make the step run after the others with \`needs\`.`
      : `Nothing was applied. The changes are kept in ${patchFile}: apply them by hand, or run the step again.`,
  );
}

/** Builds the error of a merge whose files are not on the disk as the step left them. `dispose()` reverts the merge. */
function describeUnverified(
  paths: readonly string[],
  result: AttemptResult,
  kept: string,
): ProviderError {
  return mergeError(
    result,
    `Merged files are not on the disk as the step left them: ${paths.join(', ')}`,
    paths,
    `The merge was undone. ${kept} Another program may write to these files, or the file system may convert them.`,
  );
}

function mergeError(
  { generationId, sessionId, ...rest }: AttemptResult,
  message: string,
  paths: readonly string[],
  hint: string,
): ProviderError {
  return new ProviderError({
    code: 'EXPECTATION_FAILED',
    message,
    hint,
    generationId,
    sessionId,
    missing: [{ kind: 'merge', message, paths }],
    partial: { generationId, sessionId, ...rest },
  });
}

/** Builds the error of a merge that failed. The error carries the result, because the workspace will be removed. */
export function describeMergeFailure(
  error: unknown,
  partial: AttemptResult,
  kept: string,
): ProviderError {
  const { code, message, hint } = ProviderError.isInstance(error)
    ? error
    : { code: 'UNKNOWN' as const, message: String(error), hint: undefined };
  return new ProviderError({
    code,
    message,
    hint: [hint, kept].filter((part) => part !== undefined).join(' '),
    generationId: partial.generationId,
    sessionId: partial.sessionId,
    partial,
    cause: error,
  });
}

interface VerifiedFile {
  /** Manifest entry with the path and the content in the original. */
  readonly file: ManifestFile;
  readonly state: MergedState;
}

/**
 * Reads a file of the manifest in the original after the merge. The file is as the step reported it, or has changes of
 * both sides, or another program has changed it since: anything else is a change that was lost.
 */
async function verifyFile(
  file: ManifestFile,
  changes: ChangeSet,
  workingDir: string,
): Promise<VerifiedFile> {
  const { sha256After, ...reported } = file;
  const absolutePath = changes.toOriginal(file.absolutePath);
  const now = await readFileState(absolutePath);
  const isAsReported = now?.sha256 === sha256After;
  const state = isAsReported ? 'same' : await compareWithReport(file, changes);
  const path = relative(workingDir, absolutePath);
  const isConfirmed = isAsReported || (state === 'combined' && now !== undefined);
  return {
    file: {
      ...reported,
      absolutePath,
      path: isAbsolute(path) ? absolutePath : toSlashes(path),
      bytes: now?.bytes ?? 0,
      ...(now === undefined ? {} : { sha256After: now.sha256 }),
      confirmed: file.confirmed && isConfirmed,
    },
    state,
  };
}

async function compareWithReport(
  { kind, sha256After, absolutePath }: ManifestFile,
  changes: ChangeSet,
): Promise<MergedState> {
  const state = await changes.compareMerged(absolutePath);
  // A tool that wrote the old content again has changed nothing that a merge could lose.
  if (kind === 'unchanged' && state === 'different') return 'changed-since';
  // The file of the step is in the original, and is not the file that the step has reported.
  const isKnown = sha256After !== undefined || kind === 'deleted';
  return state === 'same' && isKnown ? 'different' : state;
}
