import { rm } from 'node:fs/promises';
import { isAbsolute, relative } from 'node:path';
import type { ManifestFile } from '../../api/manifest.js';
import type { GenerateResult, StepWarning } from '../../api/result.js';
import { messageOf } from '../../base/errors/message-of.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { readFileState } from '../../base/fs/fingerprint.js';
import { toSlashes } from '../../base/fs/paths.js';
import type {
  IsolatedWorkspace,
  MergedState,
  MergeOptions,
  MergeOutcome,
} from '../isolation/isolated-workspace.js';
import type { AttemptSuccess } from './run-attempt.js';

export interface MergedAttempt {
  readonly files: readonly ManifestFile[];
  /** Limits of the isolation that this step met. */
  readonly warnings: readonly StepWarning[];
}

/**
 * Merges the changes of an attempt into the user's workspace and returns its files with their paths there. The merge
 * is provisional: unless the ledger gets the step's `done` line, `dispose()` or the next start reverts it.
 */
export async function mergeAttempt(
  { result, workspace }: AttemptSuccess,
  workingDir: string,
  keptPatch: string,
): Promise<MergedAttempt> {
  if (workspace.kind === 'shared') return { files: result.files, warnings: [] };
  const changed = result.files.filter(({ kind }) => kind !== 'unchanged');
  const extraPaths = changed.map(({ absolutePath }) => absolutePath);
  const options = { extraPaths, patchFile: keptPatch };
  const outcome = await workspace.mergeBack(options).catch(async (error: unknown) => {
    throw describeFailure(error, result, await keepPatch(workspace, options));
  });
  if (!outcome.merged) throw describeConflicts(outcome, result);
  const files: VerifiedFile[] = [];
  for (const file of result.files) files.push(await verifyFile(file, workspace, workingDir));
  const wrong = files.filter(({ state }) => state === 'different').map(({ file }) => file.path);
  if (wrong.length > 0) {
    throw describeUnverified(wrong, result, await keepPatch(workspace, options));
  }
  // A patch that an earlier attempt kept is obsolete after a successful merge.
  await rm(keptPatch, { recursive: true, force: true });
  const unmerged = files.filter(({ state }) => state === 'not-merged').map(({ file }) => file.path);
  const notes = new Set([
    ...workspace.notes,
    ...outcome.notes,
    ...unmerged.map((path) => `File ${path} was not merged: it is in a folder of links`),
  ]);
  const warnings = [...notes].map((message) => ({ code: 'NOT_ISOLATED' as const, message }));
  return { files: files.map(({ file }) => file), warnings };
}

/** Keeps the changes of a step whose merge has failed. Returns the reason as text if that fails too. */
function keepPatch(workspace: IsolatedWorkspace, options: MergeOptions): Promise<string> {
  return workspace.keepPatch(options).then(
    (kept) =>
      kept === undefined ? 'There are no changes to keep.' : `The changes are kept in ${kept}.`,
    (error: unknown) => `The changes could not be kept: ${messageOf(error)}.`,
  );
}

function describeConflicts(
  { conflicts, patchFile }: Extract<MergeOutcome, { merged: false }>,
  result: GenerateResult,
): ProviderError {
  const paths = conflicts.map(({ path }) => path);
  const unverified = conflicts.filter(({ reason }) => reason === 'unverified');
  if (unverified.length > 0) {
    return describeUnverified(paths, result, `The changes are kept in ${patchFile}.`);
  }
  return mergeError(
    result,
    `Merge conflict with changes of other steps: ${paths.join(', ')}`,
    paths,
    `Nothing was merged. The changes are kept in ${patchFile}: apply them by hand, or make the step run after the others with \`needs\`.`,
  );
}

/** Builds the error of a merge whose files are not on the disk as the step left them. `dispose()` reverts the merge. */
function describeUnverified(
  paths: readonly string[],
  result: GenerateResult,
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
  { generationId, sessionId, ...rest }: GenerateResult,
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
function describeFailure(error: unknown, partial: GenerateResult, kept: string): ProviderError {
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
  workspace: IsolatedWorkspace,
  workingDir: string,
): Promise<VerifiedFile> {
  const { sha256After, ...reported } = file;
  const absolutePath = workspace.toOriginal(file.absolutePath);
  const now = await readFileState(absolutePath);
  const isAsReported = now?.sha256 === sha256After;
  const state = isAsReported ? 'same' : await compareWithReport(file, workspace);
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
  workspace: IsolatedWorkspace,
): Promise<MergedState> {
  const state = await workspace.compareMerged(absolutePath);
  // A tool that wrote the old content again has changed nothing that a merge could lose.
  if (kind === 'unchanged' && state === 'different') return 'changed-since';
  // The file of the step is in the original, and is not the file that the step has reported.
  const isKnown = sha256After !== undefined || kind === 'deleted';
  return state === 'same' && isKnown ? 'different' : state;
}
