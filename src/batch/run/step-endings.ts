import type { BatchEvent } from '../../api/batch-event.js';
import type { PlannedStep } from '../../api/batch-plan.js';
import type { ProviderErrorData } from '../../api/error.js';
import type { StepSkip } from '../../api/step-report.js';
import type { StepGraph } from '../plan/step-graph.js';
import type { BatchState } from './batch-state.js';
import type { MergeOrder } from './merge-order.js';

export interface StepEndingsOptions {
  readonly state: BatchState;
  readonly graph: StepGraph;
  readonly mergeOrder: MergeOrder;
  readonly emit: (event: BatchEvent) => void;
}

/** Ends steps in the ledger, the graph and the merge order, and tells the listeners. */
export class StepEndings {
  readonly #options: StepEndingsOptions;

  constructor(options: StepEndingsOptions) {
    this.#options = options;
  }

  /** Emits the report of a step that is over for this run. */
  finish({ id }: PlannedStep): void {
    const { state, emit } = this.#options;
    emit({ type: 'step-finished', stepId: id, report: state.stepReport(id) });
  }

  /** Ends a step whose result is in the ledger. */
  succeed(step: PlannedStep): void {
    const { graph, mergeOrder } = this.#options;
    mergeOrder.pass(step);
    graph.succeed(step);
    this.finish(step);
  }

  /** Ends a step that is not tried again. Skips the steps that need it, unless the step has `continueOnError`. */
  async fail(step: PlannedStep, error: ProviderErrorData): Promise<void> {
    const { state, graph, mergeOrder } = this.#options;
    await state.write({ type: 'failed', step: step.id, error });
    mergeOrder.pass(step);
    this.finish(step);
    if (step.continueOnError === true) graph.succeed(step);
    else await this.#skipDependents(step, `Step ${step.id}, which it needs, failed`);
  }

  /** Ends a step whose condition is false, and the steps that need it. */
  async skip(step: PlannedStep, skip: StepSkip): Promise<void> {
    const { state, mergeOrder } = this.#options;
    await state.write({ type: 'skipped', step: step.id, skip });
    mergeOrder.pass(step);
    this.finish(step);
    const message = `Step ${step.id}, which it needs, was skipped: its condition is false`;
    await this.#skipDependents(step, message);
  }

  /** Skips all steps that need this one and do not tolerate that it has no result. */
  async #skipDependents(step: PlannedStep, message: string): Promise<void> {
    const { state, graph, mergeOrder } = this.#options;
    const because = step.id;
    const skip: StepSkip = { reason: 'need', message, stepId: because };
    const skipped = graph.fail(step);
    await Promise.all(
      skipped.map(({ id }) => state.write({ type: 'skipped', step: id, because, skip })),
    );
    for (const one of skipped) {
      mergeOrder.pass(one);
      this.finish(one);
    }
  }
}
