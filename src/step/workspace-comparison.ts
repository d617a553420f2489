import type { ToolCall } from '../agents/events/turn-fold.js';
import { featuresOf } from '../agents/gemini/cli-features.js';
import { canWriteUntracked, toolCategory } from '../agents/gemini/gemini-tools.js';
import type { ResolvedStep } from '../agents/resolve-step.js';
import type { StepWarning } from '../api/result.js';
import { messageOf } from '../base/errors/message-of.js';
import { unlessAborted } from '../base/process/timing.js';
import type { ResolvedConfig } from '../config/resolve-config.js';
import { takeSnapshot } from './manifest/snapshot.js';
import type { WorkspaceChange } from './manifest/workspace-change.js';
import type { RemoteWorkspace } from './remote-workspace.js';

export interface Comparison {
  /** Changes since the start of the step; undefined if the workspace was not compared. */
  readonly changes: readonly WorkspaceChange[] | undefined;
  readonly warnings: readonly StepWarning[];
}

/**
 * Takes a snapshot of the workspace before the step, if tools may write files that no event reports. The returned
 * function compares the workspace with the snapshot. A failed comparison is a warning, so that the step is not lost.
 * Files that a cancelled step wrote still belong in the manifest, so that the comparison has a signal of its own.
 */
export async function beginComparison(
  resolved: ResolvedStep,
  signal?: AbortSignal,
  remote?: RemoteWorkspace,
): Promise<(calls: readonly ToolCall[], signal?: AbortSignal) => Promise<Comparison>> {
  if (!isNeeded(resolved)) return async (calls) => describeOmission(resolved.config, calls);
  const request = {
    workspaceDirs: resolved.workspaceDirs,
    excludedDirs: resolved.geminiHome === undefined ? [] : [resolved.geminiHome],
    mayAskGit: resolved.config.sandbox === false,
    signal,
  };
  const snapshot = await catchProblem(
    remote === undefined ? takeSnapshot(request) : remote.takeSnapshot(request),
  );
  signal?.throwIfAborted();
  return async (_calls, limit) => {
    const changes =
      'value' in snapshot
        ? await catchProblem(unlessAborted(snapshot.value.changes(limit), limit), limit)
        : snapshot;
    if ('value' in changes) return { changes: changes.value, warnings: [] };
    const message = `Files that shell commands wrote are not in the manifest: ${changes.problem}.`;
    return { changes: undefined, warnings: [{ code: 'WORKSPACE_NOT_COMPARED', message }] };
  };
}

type ValueOrProblem<T> = { readonly value: T } | { readonly problem: string };

async function catchProblem<T>(
  promise: Promise<T>,
  limit?: AbortSignal,
): Promise<ValueOrProblem<T>> {
  try {
    return { value: await promise };
  } catch (error) {
    if (limit?.aborted) return { problem: 'the time of the step was over' };
    return { problem: messageOf(error) };
  }
}

/** Warns if a command ran although no comparison seemed needed: a hook or a policy may have allowed it. */
function describeOmission(
  { workspaceScan }: ResolvedConfig,
  calls: readonly ToolCall[],
): Comparison {
  const writer = calls.find(({ name, outcome }) => {
    return outcome === 'completed' && canWriteUntracked(name) && toolCategory(name) !== 'agent';
  });
  if (workspaceScan === 'off' || writer === undefined) return { changes: undefined, warnings: [] };
  const message = `Files that ${writer.name} may have written are not in the manifest. Set workspaceScan: "always".`;
  return { changes: undefined, warnings: [{ code: 'WORKSPACE_NOT_COMPARED', message }] };
}

function isNeeded(resolved: ResolvedStep): boolean {
  const { workspaceScan } = resolved.config;
  return workspaceScan === 'auto' ? hasUnseenWriters(resolved) : workspaceScan === 'always';
}

/** True if tools of the step may write files that no event reports. */
export function hasUnseenWriters({ config, cli, cliSettings }: ResolvedStep): boolean {
  // The permissions of another agent are not known.
  if (cliSettings === undefined) return true;
  // A CLI of unknown version may be too old to report its tool calls.
  if (cli.version === undefined || !featuresOf(cli.version).streamJson) return true;
  return mayWriteUnseen(config, cliSettings.allowedTools);
}

/** True if a tool may write files that no event reports. Sub-agents do not count: the session file has their edits. */
function mayWriteUnseen(
  { approvalMode, allowedTools, extraArgs }: ResolvedConfig,
  allowedBySettings: readonly string[],
): boolean {
  if (approvalMode === 'yolo') return true;
  const allowed = [...allowedTools.map(({ tool }) => tool), ...allowedBySettings.map(toolOf)];
  if (allowed.some(canWriteUntracked)) return true;
  return extraArgs.some((arg) => /^--(admin-)?policy\b/.test(arg));
}

/** Returns the tool name of a rule such as `run_shell_command(git)`. */
function toolOf(rule: string): string {
  return rule.split('(', 1)[0] ?? rule;
}
