import { rm } from 'node:fs/promises';
import { isAbsolute, relative } from 'node:path';
import type { ManifestFile } from '../../api/manifest.js';
import type { GenerateResult, StepWarning } from '../../api/result.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { readFileState } from '../../base/fs/fingerprint.js';
import { toSlashes } from '../../base/fs/paths.js';
import type { IsolatedWorkspace } from '../isolation/isolated-workspace.js';
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
  const extraPaths = result.files.map(({ absolutePath }) => absolutePath);
  const options = { extraPaths, patchFile: keptPatch };
  const outcome = await workspace.mergeBack(options).catch(async (error: unknown) => {
    const kept = await workspace.keepPatch(options).catch(() => undefined);
    throw describeFailure(error, result, kept);
  });
  if (outcome.merged) {
    // A patch that an earlier attempt kept is obsolete after a successful merge.
    await rm(keptPatch, { recursive: true, force: true });
    const files = result.files.map((file) => moveToOriginal(file, workspace, workingDir));
    const notes = new Set([...workspace.notes, ...outcome.notes]);
    const warnings = [...notes].map((message) => ({ code: 'NOT_ISOLATED' as const, message }));
    return { files: await Promise.all(files), warnings };
  }
  const paths = outcome.conflicts.map(({ path }) => path);
  const message = `Merge conflict with changes of other steps: ${paths.join(', ')}`;
  throw new ProviderError({
    code: 'EXPECTATION_FAILED',
    message,
    hint: `Nothing was merged. The changes are kept in ${outcome.patchFile}: apply them by hand, or make the step run after the others with \`needs\`.`,
    generationId: result.generationId,
    sessionId: result.sessionId,
    missing: [{ kind: 'merge', message, paths }],
    partial: result,
  });
}

/** Builds the error of a merge that failed. The error carries the result, because the workspace will be removed. */
function describeFailure(
  error: unknown,
  partial: GenerateResult,
  kept: string | undefined,
): ProviderError {
  const { code, message, hint } = ProviderError.isInstance(error)
    ? error
    : { code: 'UNKNOWN' as const, message: String(error), hint: undefined };
  const where = kept === undefined ? undefined : `The changes are kept in ${kept}.`;
  return new ProviderError({
    code,
    message,
    hint: [hint, where].filter((part) => part !== undefined).join(' ') || undefined,
    generationId: partial.generationId,
    sessionId: partial.sessionId,
    partial,
    cause: error,
  });
}

async function moveToOriginal(
  file: ManifestFile,
  workspace: IsolatedWorkspace,
  workingDir: string,
): Promise<ManifestFile> {
  const absolutePath = workspace.toOriginal(file.absolutePath);
  const state = await readFileState(absolutePath);
  const path = relative(workingDir, absolutePath);
  return {
    ...file,
    absolutePath,
    path: isAbsolute(path) ? absolutePath : toSlashes(path),
    bytes: state?.bytes ?? 0,
    ...(state === undefined ? {} : { sha256After: state.sha256 }),
  };
}
