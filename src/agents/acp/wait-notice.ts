import type { SessionStatusEvent } from '../../api/agent-event.js';

/** Shorter waits are not reported: while a process starts, all steps but the first one queue for a moment. */
const SHORTEST_WAIT_MS = 200;

/** Reports that a step waits for a slot of the pool. */
export class WaitNotice {
  readonly #emit: (event: SessionStatusEvent) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(emit: (event: SessionStatusEvent) => void) {
    this.#emit = emit;
  }

  /** Begins the wait. Called again, the wait goes on. */
  begin(): void {
    this.#timer ??= setTimeout(() => {
      const message = 'The step waits for a slot of the pool';
      this.#emit({ type: 'session-status', status: 'waiting', message });
    }, SHORTEST_WAIT_MS);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
