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
  /** What isolation could not do for the step. */
  readonly warnings: readonly StepWarning[];
}

/**
 * Merges the changes of a step, and gives its files as they lie in the workspace of the person then. They are on
 * trial until the step is written down as done.
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
    // Of an earlier attempt, and of no use to anybody now.
    await rm(keptPatch, { recursive: true, force: true });
    const files = result.files.map((file) => rebase(file, workspace, workingDir));
    const notes = new Set([...workspace.notes, ...outcome.notes]);
    const warnings = [...notes].map((message) => ({ code: 'NOT_ISOLATED' as const, message }));
    return { files: await Promise.all(files), warnings };
  }
  const paths = outcome.conflicts.map(({ path }) => path);
  const message = `The changes do not go together with what other steps have done: ${paths.join(', ')}`;
  throw new ProviderError({
    code: 'EXPECTATION_FAILED',
    message,
    hint: `Nothing was merged. The changes are kept in ${outcome.patchFile}: apply them by hand, or let the step run after the others with \`needs\`.`,
    generationId: result.generationId,
    sessionId: result.sessionId,
    missing: [{ kind: 'merge', message, paths }],
    partial: result,
  });
}

/** The step has done its work: what it has come to must not be lost with its workspace. */
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

async function rebase(
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
