import type { MergeOrderOption } from '../../api/batch-limits.js';
import type { PlannedStep } from '../../api/batch-plan.js';

/** Limits the steps that wait for their merge, because each of them holds a worktree or a copy. */
const MOST_WAITING = 16;

/**
 * Lets isolated steps merge in the order of the plan (`mergeOrder: plan`), whatever the order in which they end, so that
 * the same batch gives the same tree. A step waits until each isolated step before it is merged or will not be merged in
 * this run. With `mergeOrder: finish` no step waits for another one.
 */
export class MergeOrder {
  readonly #waiting: { readonly index: number; readonly resume: () => void }[] = [];
  readonly #indexes = new Map<string, number>();
  readonly #isOver: boolean[];
  readonly #ids: readonly string[];
  #first = 0;

  constructor(ordered: readonly PlannedStep[], order: MergeOrderOption = 'plan') {
    const isolated = ordered.filter(({ isolation }) => isolation !== 'shared' && order === 'plan');
    this.#ids = isolated.map(({ id }) => id);
    for (const [index, { id }] of isolated.entries()) this.#indexes.set(id, index);
    this.#isOver = isolated.map(() => false);
  }

  /** True if `MOST_WAITING` steps already wait and this step would have to wait behind one of them: start it later. */
  isTooEarly({ id }: PlannedStep): boolean {
    const index = this.#indexes.get(id);
    if (index === undefined || this.#waiting.length < MOST_WAITING) return false;
    return this.#waiting.some((waiter) => waiter.index < index);
  }

  /** Returns the id of a step that must be merged first; undefined if the step may merge now. */
  findBlocking({ id }: PlannedStep): string | undefined {
    const index = this.#indexes.get(id);
    return index === undefined || index <= this.#first ? undefined : this.#ids[this.#first];
  }

  /** Resolves when the step may merge. */
  async wait({ id }: PlannedStep): Promise<void> {
    const index = this.#indexes.get(id);
    if (index === undefined || index <= this.#first) return;
    await new Promise<void>((resume) => {
      this.#waiting.push({ index, resume });
    });
  }

  /** Lets later steps pass this one: it is merged, or will not be merged in this run. */
  pass({ id }: PlannedStep): void {
    const index = this.#indexes.get(id);
    if (index === undefined) return;
    this.#isOver[index] = true;
    while (this.#isOver[this.#first] === true) this.#first++;
    const ready = this.#waiting.filter((waiter) => waiter.index <= this.#first);
    for (const waiter of ready) {
      this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
      waiter.resume();
    }
  }
}
