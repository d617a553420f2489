/** Often enough to see most commands while their parent is still there. */
const SHORTEST_PAUSE_MS = 250;
/** The price of a look grows with the processes of the whole machine: one percent of a core is what it may cost. */
const PAUSE_PER_COST = 100;

/**
 * Looks at a family while it is at work, so that those whose parent goes are already known. Only where its
 * processes bear no mark, which is a surer sign: one that is born and orphaned between two looks is missed.
 */
export class ProcessTreePoll {
  readonly #family: { look(): void };
  readonly #now: () => number;
  #isMarked = false;
  #dueAt = 0;

  constructor(
    family: { look(): void },
    isMarked: Promise<boolean>,
    now = (): number => performance.now(),
  ) {
    this.#family = family;
    this.#now = now;
    void isMarked.then((mark) => {
      this.#isMarked = mark;
    });
  }

  lookIfDue(): void {
    const startedAt = this.#now();
    if (this.#isMarked || startedAt < this.#dueAt) return;
    this.#family.look();
    const endedAt = this.#now();
    const pause = Math.max(SHORTEST_PAUSE_MS, (endedAt - startedAt) * PAUSE_PER_COST);
    this.#dueAt = endedAt + pause;
  }
}
