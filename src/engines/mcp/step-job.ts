import { relative } from 'node:path';
import type { AgentEvent } from '../../api/agent-event.js';
import type { Isolation } from '../../api/batch-plan.js';
import type { ResponseProvider } from '../../api/response-provider.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { describeActivity } from '../../base/events/step-activity.js';
import { toSlashes } from '../../base/fs/paths.js';
import { statIfThere } from '../../base/fs/stats.js';
import { createOriginalPaths } from '../../batch/run/original-paths.js';
import { runAttempt } from '../../batch/run/run-attempt.js';
import { toAttemptResult } from '../../batch/run/step-result.js';
import { EditPatch } from './edit-patch.js';
import type { JobContext, JobOutcome, JobTool, JobWork } from './job.js';
import type { ServerState } from './server-state.js';

/** A step that a caller has asked for. All values are checked. */
export interface DelegatedStep {
  readonly tool: JobTool;
  readonly prompt: string;
  readonly cwd: string;
  /** Canonical paths of files that the caller has named. */
  readonly files: readonly string[];
  readonly isolation: Isolation;
  /** Options of the step beside its working directory. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** Creates the work of a job that is one step. */
export function createStepWork(
  request: DelegatedStep,
  provider: ResponseProvider,
  state: ServerState,
): JobWork {
  const { tool, cwd } = request;
  return { tool, cwd, run: (context) => runStepJob(request, provider, state, context) };
}

async function runStepJob(
  request: DelegatedStep,
  provider: ResponseProvider,
  state: ServerState,
  { id, signal, report }: JobContext,
): Promise<JobOutcome> {
  const { cwd, isolation, options } = request;
  if (isolation !== 'shared') state.enter(cwd);
  const file = state.patchFile(id);
  const { expects, repair, ...config } = options;
  const step = {
    id,
    planId: id,
    index: 0,
    prompt: '',
    needs: [],
    retries: 0,
    inputs: [],
    isolation,
    config: { ...config, workingDir: cwd },
    ...(isExpectations(expects) && { expects }),
    repair: typeof repair === 'number' ? repair : 0,
  };
  const onEvent = (event: AgentEvent): void => {
    const activity = describeActivity(event, [cwd]);
    if (activity !== undefined) report(activity);
  };
  const stateDir = state.folder;
  const origin = {
    stateDir,
    cwd,
    file,
    kind: isolation === 'copy' ? isolation : 'worktree',
  } as const;
  try {
    const { result, workspace } = await runAttempt({
      step,
      attempt: 1,
      prompt: namePrompt(request),
      provider,
      stateDir,
      keptPatch: file,
      signal,
      onEvent,
    });
    if (workspace.kind === 'shared') return { output: result };
    const attempt = toAttemptResult(result);
    const output = createOriginalPaths(workspace)(attempt);
    try {
      report('saving the changes');
      const changed = attempt.files.filter(({ kind }) => kind !== 'unchanged');
      const changes = await workspace.saveChanges({
        extraPaths: changed.map(({ absolutePath }) => absolutePath),
        files: attempt.files.map(({ absolutePath }) => absolutePath),
      });
      const isKept = (await changes.keepPatch(file)) !== undefined;
      if (!isKept) await changes.drop();
      const patch = isKept
        ? new EditPatch({ ...origin, savedId: changes.savedId, result: attempt })
        : undefined;
      return { output, patch };
    } finally {
      await workspace.dispose();
    }
  } catch (error) {
    // A failed step leaves its changes in the patch file. Those of a cancelled one are not wanted.
    const kept = statIfThere(file) === undefined ? undefined : new EditPatch(origin);
    if (signal.aborted) kept?.discard();
    if (!ProviderError.isInstance(error)) throw error;
    const data = error.toJSON();
    return { output: data.partial, error: data, patch: signal.aborted ? undefined : kept };
  }
}

/** Adds the files that the caller has named. The agent reads them itself: a prompt with large files would be cut. */
function namePrompt({ prompt, files, cwd }: DelegatedStep): string {
  if (files.length === 0) return prompt;
  const names = files.map((file) => `- ${toSlashes(relative(cwd, file)) || '.'}`);
  return `${prompt}\n\nRead these files first:\n${names.join('\n')}`;
}

function isExpectations(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
