import type { AgentEvent } from '../../api/agent-event.js';
import type { BatchEvent } from '../../api/batch-event.js';

/** Follows the events of an attempt: passes them on, and measures how long the attempt waits for a slot of the pool. */
export class SlotWait {
  readonly #stepId: string;
  readonly #emit: (event: BatchEvent) => void;
  #sinceMs: number | undefined;
  #waitedMs = 0;

  constructor(stepId: string, emit: (event: BatchEvent) => void) {
    this.#stepId = stepId;
    this.#emit = emit;
  }

  /** Time that the attempt has waited so far, in whole milliseconds; undefined if it has not waited. */
  get waitedMs(): number | undefined {
    const open = this.#sinceMs === undefined ? 0 : performance.now() - this.#sinceMs;
    const waited = Math.round(this.#waitedMs + open);
    return waited === 0 ? undefined : waited;
  }

  accept(event: AgentEvent): void {
    const stepId = this.#stepId;
    this.#waitedMs = this.waitedMs ?? 0;
    const isWaiting = event.type === 'session-status' && event.status === 'waiting';
    this.#sinceMs = isWaiting ? performance.now() : undefined;
    this.#emit({ type: 'step-progress', stepId, event });
    if (isWaiting) this.#emit({ type: 'step-waiting', stepId, waitsFor: 'slot' });
  }
}
