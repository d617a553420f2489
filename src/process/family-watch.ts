/** Often enough to see most commands while their parent is still there. */
const SHORTEST_PAUSE_MS = 250;
/** The price of a look grows with the processes of the whole machine: one percent of a core is what it may cost. */
const PAUSE_PER_COST = 100;

/**
 * Looks at a family while it is at work, so that those whose parent goes are already known. One that is born
 * and orphaned between two looks is not seen here: on Linux its mark gives it away, elsewhere nothing does.
 */
export class FamilyWatch {
  readonly #family: { look(): void };
  readonly #now: () => number;
  #dueAt = 0;

  constructor(family: { look(): void }, now = (): number => performance.now()) {
    this.#family = family;
    this.#now = now;
  }

  lookIfDue(): void {
    const startedAt = this.#now();
    if (startedAt < this.#dueAt) return;
    this.#family.look();
    const endedAt = this.#now();
    const pause = Math.max(SHORTEST_PAUSE_MS, (endedAt - startedAt) * PAUSE_PER_COST);
    this.#dueAt = endedAt + pause;
  }
}
