import type { BatchWarning } from '../../api/batch-report.js';
import type { GenerateResult } from '../../api/result.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { callOnAbort } from '../../base/process/abort-listeners.js';

/** Time that the end of an attempt may take after a cancel or a timeout. The caller has the error within two seconds. */
const LATE_MS = 1_200;

/** What is left to do for an attempt that has ended. */
export interface LateTask {
  readonly step: string;
  /** Describes what is not done yet, as a sentence. */
  readonly description: string;
  readonly work: Promise<unknown>;
}

/**
 * Keeps the end of attempts short: after a cancel or a timeout, work that takes longer goes on behind. On a slow file system
 * the patch of an attempt and the removal of its worktree take many seconds, and the caller waits for an error.
 */
export class LateWork {
  readonly #tasks = new Set<LateTask>();
  #cancelledMs: number | undefined;
  #stopWatching: (() => void) | undefined;

  /** Notes the time of the cancel. */
  watch(cancel: AbortSignal): void {
    this.#stopWatching ??= callOnAbort(cancel, () => {
      this.#cancelledMs = performance.now();
    });
  }

  /**
   * Waits for the work. Returns false if the work goes on behind: the batch was cancelled, or `isLimited`, and the time is
   * over. The work must not reject.
   */
  async finish(task: LateTask, cancel: AbortSignal, isLimited: boolean): Promise<boolean> {
    this.watch(cancel);
    const isOver = await settlesInTime(task.work, cancel, () => {
      const startMs = this.#cancelledMs ?? (isLimited ? performance.now() : undefined);
      return startMs === undefined ? undefined : startMs + LATE_MS;
    });
    if (!isOver) {
      this.#tasks.add(task);
      void task.work.finally(() => this.#tasks.delete(task));
    }
    return isOver;
  }

  /** Waits for a merge like `finish`. Throws CANCELLED if the merge goes on behind. */
  async finishMerge(merging: Promise<void>, step: string, cancel: AbortSignal): Promise<void> {
    const description = `The changes of step ${step} were not yet merged: the next run merges them.`;
    const work = Promise.allSettled([merging]);
    if (!(await this.finish({ step, description, work }, cancel, false))) throw leaveBehind();
    await merging;
  }

  /** Waits until the changes of an attempt are saved, like `finish`. Throws CANCELLED if this goes on behind. */
  async finishSave<T>(
    saving: Promise<T>,
    { step, result, cancel }: { step: string; result: GenerateResult; cancel: AbortSignal },
  ): Promise<T> {
    const description = `The changes of step ${step} were not yet saved: the next run merges them if this still succeeds, and runs the step again otherwise.`;
    const work = Promise.allSettled([saving]);
    if (!(await this.finish({ step, description, work }, cancel, false))) throw leaveBehind(result);
    return saving;
  }

  /** Waits for what is left of earlier attempts of a step: the next attempt keeps its patch in the same file. */
  async finishStep(step: string, cancel: AbortSignal): Promise<void> {
    this.watch(cancel);
    const works = [...this.#tasks].filter((task) => task.step === step).map(({ work }) => work);
    await this.#settle(works, cancel);
  }

  /** Waits for all work, after a cancel only for a short time. Returns a warning about work that is not done. */
  async close(cancel: AbortSignal): Promise<BatchWarning | undefined> {
    await this.#settle(
      [...this.#tasks].map(({ work }) => work),
      cancel,
    );
    this.#stopWatching?.();
    const left = [...this.#tasks];
    if (left.length === 0) return undefined;
    const message = `The file system is slow, and the batch has ended before this was done: ${left.map(({ description }) => description).join(' ')}`;
    return { code: 'LEFTOVERS_KEPT', message, steps: [...new Set(left.map(({ step }) => step))] };
  }

  async #settle(works: readonly Promise<unknown>[], cancel: AbortSignal): Promise<void> {
    if (works.length === 0) return;
    this.watch(cancel);
    await settlesInTime(Promise.all(works), cancel, () => {
      return this.#cancelledMs === undefined ? undefined : this.#cancelledMs + LATE_MS;
    });
  }
}

/** Errors of steps whose agent has finished, and whose changes are saved or merged behind a cancelled batch. */
const leftBehind = new WeakSet<object>();

/** True for an error of work that goes on behind. */
export function isLeftBehind(error: unknown): error is ProviderError {
  return ProviderError.isInstance(error) && leftBehind.has(error);
}

function leaveBehind(partial?: GenerateResult): ProviderError {
  const error = new ProviderError({
    code: 'CANCELLED',
    message: 'The batch was cancelled while the changes of the step were saved or merged',
    hint: 'Run the same command again to continue.',
    generationId: partial?.generationId,
    sessionId: partial?.sessionId,
    partial,
  });
  leftBehind.add(error);
  return error;
}

/** True if the work ends before the time that `endsAtMs` names now, or after the cancel. Waits without end if it names none. */
function settlesInTime(
  work: Promise<unknown>,
  cancel: AbortSignal,
  endsAtMs: () => number | undefined,
): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  let stop = (): void => {};
  return new Promise<boolean>((resolve) => {
    void work.finally(() => resolve(true));
    const begin = (): void => {
      const endMs = endsAtMs();
      if (endMs === undefined) return;
      clearTimeout(timer);
      timer = setTimeout(() => resolve(false), Math.max(0, endMs - performance.now()));
    };
    begin();
    stop = callOnAbort(cancel, begin);
  }).finally(() => {
    clearTimeout(timer);
    stop();
  });
}
