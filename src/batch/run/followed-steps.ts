import type { LedgerStep } from '../ledger/ledger-entry.js';

/** Steps of a run that is followed, with those that are over. Every question takes the same time in a batch of any size. */
export class FollowedSteps {
  readonly #byId = new Map<string, LedgerStep>();
  readonly #unfinished = new Map<string, LedgerStep>();
  /** Number of unfinished steps by id in the plan. */
  readonly #unfinishedOf = new Map<string, number>();

  /** Begins a run: no step is over. */
  reset(steps: readonly LedgerStep[]): void {
    for (const map of [this.#byId, this.#unfinished, this.#unfinishedOf]) map.clear();
    for (const step of steps) {
      this.#byId.set(step.id, step);
      this.reopen(step.id);
    }
  }

  find(id: string): LedgerStep | undefined {
    return this.#byId.get(id);
  }

  /** Steps that are not over, in the order of the plan. Steps may be finished during the iteration. */
  unfinished(): Iterable<LedgerStep> {
    return this.#unfinished.values();
  }

  isFinished(id: string): boolean {
    return this.#byId.has(id) && !this.#unfinished.has(id);
  }

  finish(id: string): void {
    const step = this.#unfinished.get(id);
    if (step === undefined) return;
    this.#unfinished.delete(id);
    this.#count(step.planId, -1);
  }

  /** Notes that a step runs again. */
  reopen(id: string): void {
    const step = this.#byId.get(id);
    if (step === undefined || this.#unfinished.has(id)) return;
    this.#unfinished.set(id, step);
    this.#count(step.planId, 1);
  }

  /** True if no step of this id is still to come. The id may be that of a matrix. */
  isSettled(need: string): boolean {
    return !this.#unfinished.has(need) && (this.#unfinishedOf.get(need) ?? 0) === 0;
  }

  #count(planId: string, change: number): void {
    this.#unfinishedOf.set(planId, (this.#unfinishedOf.get(planId) ?? 0) + change);
  }
}
