/**
 * Clock of one run of a batch. Its times are the wall clock at the start of the run plus the time that has passed on the
 * monotonic clock: a wall clock that is set meanwhile changes no duration in ledger and report.
 */
export class RunClock {
  readonly #startedAtMs = Date.now();
  readonly #originMs = performance.now();

  /** Returns the present time, ISO 8601. */
  timestamp(): string {
    return new Date(this.#startedAtMs + performance.now() - this.#originMs).toISOString();
  }
}
