import type { PlannedStep } from '../../api/batch-plan.js';

/** Each has a worktree or a copy of everything. */
const MOST_WAITING = 16;

/**
 * Brings changes back in the order of the plan, whatever the order in which steps end: the same batch gives the same
 * tree. A step waits for the isolated ones before it, until they are merged or will not be.
 */
export class MergeOrder {
  readonly #waiting: { readonly index: number; readonly go: () => void }[] = [];
  readonly #indexes = new Map<string, number>();
  readonly #isOver: boolean[];
  #first = 0;

  constructor(ordered: readonly PlannedStep[]) {
    const isolated = ordered.filter(({ isolation }) => isolation !== 'shared');
    for (const [index, { id }] of isolated.entries()) this.#indexes.set(id, index);
    this.#isOver = isolated.map(() => false);
  }

  /** Whether so many wait already that one that would have to wait behind them had better not begin. */
  isTooEarly({ id }: PlannedStep): boolean {
    const index = this.#indexes.get(id);
    if (index === undefined || this.#waiting.length < MOST_WAITING) return false;
    return this.#waiting.some((waiter) => waiter.index < index);
  }

  async wait({ id }: PlannedStep): Promise<void> {
    const index = this.#indexes.get(id);
    if (index === undefined || index <= this.#first) return;
    await new Promise<void>((go) => {
      this.#waiting.push({ index, go });
    });
  }

  /** It is merged, or it will not be in this run. */
  pass({ id }: PlannedStep): void {
    const index = this.#indexes.get(id);
    if (index === undefined) return;
    this.#isOver[index] = true;
    while (this.#isOver[this.#first] === true) this.#first++;
    const free = this.#waiting.filter((waiter) => waiter.index <= this.#first);
    for (const waiter of free) {
      this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
      waiter.go();
    }
  }
}
