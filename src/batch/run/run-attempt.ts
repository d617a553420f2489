import type { AgentEvent } from '../../api/agent-event.js';
import type { PlannedStep } from '../../api/batch-plan.js';
import type { ResponseProvider } from '../../api/response-provider.js';
import type { GenerateResult } from '../../api/result.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import type { IsolatedWorkspace } from '../isolation/isolated-workspace.js';
import { openIsolation } from '../isolation/open-isolation.js';

export interface AttemptRequest {
  readonly step: PlannedStep;
  readonly attempt: number;
  /** As it is sent. */
  readonly prompt: string;
  readonly provider: ResponseProvider;
  /** Where isolated workspaces are recorded, and changes are kept that came to nothing. */
  readonly stateDir: string;
  readonly keptPatch: string;
  readonly signal: AbortSignal;
  readonly onEvent: (event: AgentEvent) => void;
}

/** An attempt that succeeded, in a workspace whose changes have still to be brought back. */
export interface AttemptSuccess {
  readonly result: GenerateResult;
  readonly workspace: IsolatedWorkspace;
}

/** One try of a step. Throws a `ProviderError`; nothing of the workspace is left then but a patch. */
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
    await keepAndDispose(workspace, request, error);
    throw error;
  }
}

async function runIn(
  workspace: IsolatedWorkspace,
  { step, prompt, provider, signal, onEvent }: AttemptRequest,
): Promise<GenerateResult> {
  const options = {
    ...step.config,
    ...mapFolders(step, workspace),
    ...(step.expects === undefined ? {} : { expects: step.expects, repair: step.repair }),
    signal,
  };
  for await (const event of provider.stream(prompt, {}, options)) {
    onEvent(event);
    if (event.type === 'turn-complete' && event.result !== undefined) return event.result;
  }
  throw new ProviderError({ code: 'INCOMPLETE', message: 'The step ended without a result' });
}

/** Folders of the workspace lie elsewhere for a step that is isolated. */
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
  { keptPatch }: AttemptRequest,
  error: unknown,
): Promise<void> {
  const files = ProviderError.isInstance(error) ? (error.partial?.files ?? []) : [];
  const extraPaths = files.map(({ absolutePath }) => absolutePath);
  // The error that brought us here says more than one of cleaning up.
  await workspace.keepPatch({ extraPaths, patchFile: keptPatch }).catch(() => undefined);
  await workspace.dispose().catch(() => {});
}
