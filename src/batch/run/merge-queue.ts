import type { BatchEvent } from '../../api/batch-event.js';
import type { PlannedStep } from '../../api/batch-plan.js';
import { assertStillReachable } from '../../step/reachable-folders.js';
import type { ChangeSet, MergeOutcome } from '../isolation/isolated-workspace.js';
import { mergeTogether } from '../isolation/merge-together.js';
import type { MergeOrder } from './merge-order.js';
import { PathSet } from './path-set.js';

export interface MergeQueueOptions {
  readonly order: MergeOrder;
  /** Throws if another run has taken over the batch. */
  readonly checkLease?: (() => Promise<void>) | undefined;
  readonly emit: (event: BatchEvent) => void;
}

export interface QueuedMerge {
  readonly step: PlannedStep;
  readonly changes: ChangeSet;
  readonly patchFile: string;
  /** Aborted when the batch is cancelled. The merge is made anyway, unless the file system does not answer. */
  readonly cancel: AbortSignal;
  /** Makes the merge final or reverts it. No other merge begins before that. */
  readonly complete: (outcome: PromiseSettledResult<MergeOutcome>) => Promise<void>;
}

interface WaitingMerge extends QueuedMerge {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Merges the changes of finished steps, in groups: steps that end while a merge is under way are merged together, if
 * their paths are disjoint.
 */
export class MergeQueue {
  readonly #options: MergeQueueOptions;
  #waiting: WaitingMerge[] = [];
  /** Ids of the steps whose merge is under way. */
  #merging: readonly string[] = [];

  constructor(options: MergeQueueOptions) {
    this.#options = options;
  }

  /** Resolves when the merge is complete. Rejects with the error of `complete`, or if the lease is lost. */
  async merge(merge: QueuedMerge): Promise<void> {
    const { order } = this.#options;
    const { step } = merge;
    const before = order.findBlocking(step);
    if (before !== undefined) this.#tellWaiting(step, before);
    await order.wait(step);
    const [first] = this.#merging;
    if (first !== undefined) this.#tellWaiting(step, first);
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push({ ...merge, resolve, reject });
      if (first === undefined) void this.#work();
    });
  }

  #tellWaiting({ id: stepId }: PlannedStep, behind: string): void {
    this.#options.emit({ type: 'step-waiting', stepId, waitsFor: 'merge', behind });
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#takeGroup();
      this.#merging = group.map(({ step }) => step.id);
      await this.#mergeGroup(group);
    }
    this.#merging = [];
  }

  /** Takes the steps that can be merged at once. A step whose paths overlap with an earlier one stays in the queue. */
  #takeGroup(): readonly WaitingMerge[] {
    const taken = new PathSet();
    const group: WaitingMerge[] = [];
    const rest: WaitingMerge[] = [];
    for (const merge of this.#waiting) {
      const { targets } = merge.changes;
      const isFree = !targets.some((path) => taken.overlaps(path));
      (isFree ? group : rest).push(merge);
      // Steps that wait behind each other keep their order.
      for (const path of targets) taken.add(path);
    }
    this.#waiting = rest;
    return group;
  }

  async #mergeGroup(group: readonly WaitingMerge[]): Promise<void> {
    const { emit, checkLease } = this.#options;
    for (const { step } of group) {
      emit({ type: 'step-waiting', stepId: step.id, waitsFor: 'merging' });
    }
    try {
      await checkLease?.();
      await assertGroupReachable(group);
      const outcomes = await mergeTogether(group);
      await Promise.all(
        group.map(async ({ complete, resolve, reject }, index) => {
          const outcome = outcomes[index];
          if (outcome !== undefined) await complete(outcome).then(resolve, reject);
        }),
      );
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}

/** Throws if the file system of a folder does not answer: a merge would stop this process. */
async function assertGroupReachable(group: readonly QueuedMerge[]): Promise<void> {
  const [first] = group;
  if (first === undefined) return;
  const folders = new Set(group.map(({ step }) => String(step.config['workingDir'])));
  await assertStillReachable([...folders], first.cancel);
}
