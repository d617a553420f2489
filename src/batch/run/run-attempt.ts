import type { AgentEvent } from '../../api/agent-event.js';
import type { PlannedStep } from '../../api/batch-plan.js';
import type { ErrorCode } from '../../api/error.js';
import type { ContextKeys, ResponseProvider } from '../../api/response-provider.js';
import type { GenerateResult } from '../../api/result.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { assertStillReachable } from '../../step/reachable-folders.js';
import type { IsolatedWorkspace } from '../isolation/isolated-workspace.js';
import { openIsolation } from '../isolation/open-isolation.js';
import type { LateWork } from './late-work.js';
import { createOriginalPaths } from './original-paths.js';

/** Codes of attempts that were ended: their caller waits for the error. */
const LIMITS: ReadonlySet<ErrorCode> = new Set(['CANCELLED', 'TIMEOUT']);

export interface AttemptRequest {
  readonly step: PlannedStep;
  readonly attempt: number;
  /** Text as it is sent, with all references filled in. */
  readonly prompt: string;
  readonly provider: ResponseProvider;
  /** Further keys of the context that the provider gets. */
  readonly context?: ContextKeys | undefined;
  /** Folder for the records of isolated workspaces and for patches of changes that were not merged. */
  readonly stateDir: string;
  readonly keptPatch: string;
  /** Key by which a provider in front of a queue finds the job of this attempt, if an earlier run was killed. */
  readonly idempotencyKey?: string | undefined;
  readonly signal: AbortSignal;
  /** Takes over what remains of a cancelled attempt. Without it, the attempt ends when everything is done. */
  readonly late?: LateWork | undefined;
  readonly onEvent: (event: AgentEvent) => void;
}

/** A successful attempt. The changes in its workspace are not merged yet. */
export interface AttemptSuccess {
  readonly result: GenerateResult;
  readonly workspace: IsolatedWorkspace;
}

/** Runs one attempt of a step. If it throws, the workspace is removed and its changes are kept as a patch. */
export async function runAttempt(request: AttemptRequest): Promise<AttemptSuccess> {
  const { step, attempt, stateDir, signal } = request;
  const workspace = await openIsolation({
    kind: step.isolation,
    workspaceDir: String(step.config['workingDir']),
    label: `${step.id} (attempt ${attempt})`,
    stateDir,
    signal,
  });
  try {
    return { result: await runIn(workspace, request), workspace };
  } catch (error) {
    const work = keepAndDispose(workspace, request, error);
    const isLimited = ProviderError.isInstance(error) && LIMITS.has(error.code);
    const description = `The changes of step ${step.id} were not yet kept as ${request.keptPatch}, and ${workspace.folders.tree} was not yet removed: this goes on, or the next run removes the folder.`;
    if (request.late === undefined) await work;
    else await request.late.finish({ step: step.id, description, work }, signal, isLimited);
    throw error;
  }
}

async function runIn(
  workspace: IsolatedWorkspace,
  { step, prompt, provider, context: given, idempotencyKey, signal, onEvent }: AttemptRequest,
): Promise<GenerateResult> {
  const { config } = step;
  const options = {
    ...config,
    ...mapFolders(step, workspace),
    ...(step.expects === undefined ? {} : { expects: step.expects, repair: step.repair }),
    signal,
  };
  const toOriginal = createOriginalPaths(workspace);
  // The session of an isolated attempt belongs to the folder that the attempt was made for.
  const context = {
    ...given,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(workspace.kind === 'shared' ? {} : { sessionProject: String(config['workingDir']) }),
  };
  for await (const event of provider.stream(prompt, context, options)) {
    onEvent(toOriginal(event));
    if (event.type === 'turn-complete' && event.result !== undefined) return event.result;
  }
  throw new ProviderError({ code: 'INCOMPLETE', message: 'The step ended without a result' });
}

/** Maps the folders in the configuration of a step to their paths in the isolated workspace. */
function mapFolders(
  { config }: PlannedStep,
  workspace: IsolatedWorkspace,
): Readonly<Record<string, unknown>> {
  const more = config['includeDirectories'];
  return {
    workingDir: workspace.dir,
    ...(Array.isArray(more)
      ? { includeDirectories: more.map((folder) => workspace.toIsolated(String(folder))) }
      : {}),
  };
}

async function keepAndDispose(
  workspace: IsolatedWorkspace,
  { keptPatch, step, signal }: AttemptRequest,
  error: unknown,
): Promise<void> {
  if (workspace.kind === 'shared') return;
  const folders = [String(step.config['workingDir']), workspace.dir];
  try {
    if (!workspace.isRemote) await assertStillReachable(folders, signal);
  } catch {
    // A look at the workspace would stop this process. The next run removes the workspace.
    return;
  }
  const files = ProviderError.isInstance(error) ? (error.partial?.files ?? []) : [];
  const extraPaths = files.map(({ absolutePath }) => absolutePath);
  // Errors of the clean-up are ignored, because the caller needs the attempt's own error.
  await workspace.abandon({ extraPaths, patchFile: keptPatch }).catch(() => undefined);
}
