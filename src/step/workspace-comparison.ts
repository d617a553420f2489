import type { ToolCall } from '../agents/events/turn-fold.js';
import { featuresOf } from '../agents/gemini/cli-features.js';
import { canWriteUntracked, toolCategory } from '../agents/gemini/gemini-tools.js';
import type { ResolvedStep } from '../agents/resolve-step.js';
import type { StepWarning } from '../api/result.js';
import { messageOf } from '../base/errors/message-of.js';
import type { ResolvedConfig } from '../config/resolve-config.js';
import { takeSnapshot } from './manifest/snapshot.js';
import type { WorkspaceChange } from './manifest/workspace-change.js';

export interface Comparison {
  /** Undefined where nothing was compared. */
  readonly changes: readonly WorkspaceChange[] | undefined;
  readonly warnings: readonly StepWarning[];
}

/**
 * Looks at the workspace before the run, where files may be written that no event tells of. The function
 * that comes back compares. A comparison that fails is a warning: it is no reason to lose the run. The signal
 * counts for the look before: what a cancelled run has written is still to be told.
 */
export async function beginComparison(
  resolved: ResolvedStep,
  signal?: AbortSignal,
): Promise<(calls: readonly ToolCall[]) => Promise<Comparison>> {
  if (!isNeeded(resolved)) return async (calls) => describeOmission(resolved.config, calls);
  const snapshot = await settle(
    takeSnapshot({
      workspaceDirs: resolved.workspaceDirs,
      excludedDirs: resolved.geminiHome === undefined ? [] : [resolved.geminiHome],
      mayAskGit: resolved.config.sandbox === false,
      signal,
    }),
  );
  signal?.throwIfAborted();
  return async () => {
    const changes = 'value' in snapshot ? await settle(snapshot.value.changes()) : snapshot;
    if ('value' in changes) return { changes: changes.value, warnings: [] };
    const message = `Files that shell commands wrote are not in the manifest: ${changes.problem}.`;
    return { changes: undefined, warnings: [{ code: 'WORKSPACE_NOT_COMPARED', message }] };
  };
}

type Settled<T> = { readonly value: T } | { readonly problem: string };

async function settle<T>(promise: Promise<T>): Promise<Settled<T>> {
  try {
    return { value: await promise };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/** It should not have been needed, but a command ran all the same: a hook or a policy may have allowed it. */
function describeOmission(
  { workspaceScan }: ResolvedConfig,
  calls: readonly ToolCall[],
): Comparison {
  const writer = calls.find(({ name, outcome }) => {
    return outcome === 'completed' && canWriteUntracked(name) && toolCategory(name) !== 'agent';
  });
  if (workspaceScan === 'off' || writer === undefined) return { changes: undefined, warnings: [] };
  const message = `What ${writer.name} may have written is not in the manifest: set workspaceScan: "always".`;
  return { changes: undefined, warnings: [{ code: 'WORKSPACE_NOT_COMPARED', message }] };
}

function isNeeded({ config, cli, cliSettings }: ResolvedStep): boolean {
  if (config.workspaceScan !== 'auto') return config.workspaceScan === 'always';
  // What another agent may do is not known.
  if (cliSettings === undefined) return true;
  // One that does not tell its version may turn out to be so old that it shows no tool calls.
  if (cli.version === undefined || !featuresOf(cli.version).streamJson) return true;
  return mayWriteUnseen(config, cliSettings.allowedTools);
}

/** Sub-agents are not counted: the session file shows what they write. */
function mayWriteUnseen(
  { approvalMode, allowedTools, extraArgs }: ResolvedConfig,
  allowedBySettings: readonly string[],
): boolean {
  if (approvalMode === 'yolo') return true;
  const allowed = [...allowedTools.map(({ tool }) => tool), ...allowedBySettings.map(toolOf)];
  if (allowed.some(canWriteUntracked)) return true;
  return extraArgs.some((arg) => /^--(admin-)?policy\b/.test(arg));
}

/** `run_shell_command(git)` and the like. */
function toolOf(rule: string): string {
  return rule.split('(', 1)[0] ?? rule;
}
