import type { ToolCall } from '../agents/events/turn-fold.js';
import { featuresOf } from '../agents/gemini/cli-features.js';
import { toolCategory } from '../agents/gemini/gemini-tools.js';
import type { ResolvedStep } from '../agents/resolve-step.js';
import type { StepWarning } from '../api/result.js';
import { realpathOf } from '../base/fs/paths.js';
import { unlessAborted } from '../base/process/timing.js';
import { collectClaimedFiles } from './manifest/claimed-files.js';
import { attributeTo, findUntrackedWriters } from './manifest/untracked-writers.js';
import type { WorkspaceChange } from './manifest/workspace-change.js';
import { describeChangedEarlier, describeUndone } from './protection/describe-protection.js';
import { ProtectedFiles } from './protection/protected-files.js';
import { hasUnseenWriters } from './workspace-comparison.js';

/** Changes of protected files that were undone so far. */
export interface SettledProtection {
  readonly changes: readonly WorkspaceChange[];
  readonly warnings: readonly StepWarning[];
  /** True if the file was restored, so that the disk differs from what a tool reported. */
  isUndone(path: string): boolean;
}

/** Nothing was undone: the workspace lies on a file system that does not answer. */
export const NOTHING_SETTLED: SettledProtection = {
  changes: [],
  warnings: [],
  isUndone: () => false,
};

/** Protected files of a step: what they were, what the agent did to them, and the warnings about both. */
export class StepProtection {
  readonly #resolved: ResolvedStep;
  readonly #files: ProtectedFiles;
  #isSettled = true;
  /** Warnings about files that an earlier step has changed. */
  readonly warnings: readonly StepWarning[];

  static async begin(
    resolved: ResolvedStep,
    signal: AbortSignal | undefined,
  ): Promise<StepProtection> {
    const files = await ProtectedFiles.take(resolved, hasUnseenWriters(resolved), signal);
    return new StepProtection(resolved, files);
  }

  private constructor(resolved: ResolvedStep, files: ProtectedFiles) {
    this.#resolved = resolved;
    this.#files = files;
    this.warnings = describeChangedEarlier(files.changedEarlier, resolved.workingDir);
  }

  /** Notes that the agent may write from now on. */
  beginTurn(): void {
    this.#isSettled = false;
  }

  /** Restores the protected files after a turn. */
  async settle(calls: readonly ToolCall[], signal?: AbortSignal): Promise<SettledProtection> {
    const { cli, cliSettings, workingDir } = this.#resolved;
    // Another agent, or a CLI without an event stream, does not report all calls.
    const isSilent = cliSettings === undefined || !featuresOf(cli.version).streamJson;
    const writes = {
      hasUnseen: isSilent || findUntrackedWriters(calls).length > 0,
      claimed: new Set(collectClaimedFiles(calls, [], workingDir).keys()),
    };
    const changes = await this.#files.settle(writes, signal);
    this.#isSettled = true;
    const paths = new Set(changes.map(({ path }) => realpathOf(path)));
    return {
      changes,
      warnings: describeUndone(changes, nameWriters(calls), workingDir),
      isUndone: (path) => paths.has(path),
    };
  }

  /**
   * Restores the protected files within the time of the step. On a remote file system that stops answering meanwhile, the
   * rest of the step goes on without them.
   */
  settleInTime(
    calls: readonly ToolCall[],
    signal: AbortSignal,
    isRemote: boolean,
  ): Promise<SettledProtection> {
    const settled = this.settle(calls, signal);
    return isRemote ? unlessAborted(settled, signal).catch(() => NOTHING_SETTLED) : settled;
  }

  /** Takes the present files as the old ones, after commands of `expects` have run. */
  accept(signal: AbortSignal): Promise<void> {
    return this.#files.accept(signal);
  }

  /**
   * Ends the protection when the step is over. A turn that was left without an outcome is settled here, unless the
   * workspace lies on a file system that does not answer.
   */
  async close(isReachable: boolean, signal?: AbortSignal): Promise<void> {
    try {
      if (!this.#isSettled && isReachable) await this.#settleLate(signal);
    } finally {
      await this.#files.release(this.#isSettled);
    }
  }

  async #settleLate(signal: AbortSignal | undefined): Promise<void> {
    const writes = { hasUnseen: true, claimed: new Set<string>() };
    const undone = await this.#files.settle(writes, signal);
    this.#isSettled = true;
    const { logger, workingDir } = this.#resolved;
    const warnings = describeUndone(undone, ['the agent'], workingDir);
    for (const { code, message } of warnings) logger.warn({ code }, message);
  }
}

function nameWriters(calls: readonly ToolCall[]): readonly string[] {
  const writers = findUntrackedWriters(calls);
  if (writers.length > 0) return attributeTo(writers).tools;
  const edits = calls.filter(({ name }) => toolCategory(name) === 'file-write');
  return [...new Set(edits.map(({ name }) => name))];
}
