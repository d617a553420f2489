/** Shortest time between two polls. Short enough to see most commands while their parent lives. */
const SHORTEST_PAUSE_MS = 250;
/** Pause as a multiple of the duration of a poll: polling may use one percent of a core, on any machine. */
const PAUSE_FACTOR = 100;

/**
 * Polls a process tree while it works, so that members stay known after their parent has ended. Polling stops if the
 * processes carry an RLIMIT tag, which is safer: a poll misses a process that starts and is orphaned between two polls.
 */
export class ProcessTreePoll {
  readonly #tree: { refresh(): void };
  readonly #now: () => number;
  #isTagged = false;
  #dueAt = 0;

  constructor(
    tree: { refresh(): void },
    isTagged: Promise<boolean>,
    now = (): number => performance.now(),
  ) {
    this.#tree = tree;
    this.#now = now;
    void isTagged.then((tagged) => {
      this.#isTagged = tagged;
    });
  }

  /** Polls the tree if the pause since the last poll is over. */
  pollIfDue(): void {
    const startedAt = this.#now();
    if (this.#isTagged || startedAt < this.#dueAt) return;
    this.#tree.refresh();
    const endedAt = this.#now();
    const pause = Math.max(SHORTEST_PAUSE_MS, (endedAt - startedAt) * PAUSE_FACTOR);
    this.#dueAt = endedAt + pause;
  }
}
