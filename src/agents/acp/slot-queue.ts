import type { Logger } from '../../api/logger.js';
import type { Launch } from './launch.js';
import type { PoolMember } from './pool-member.js';
import type { SessionSpec } from './session-spec.js';

export interface SlotRequest {
  readonly launch: Launch;
  readonly spec: SessionSpec;
  /** True if no other step may run on the same process at the same time. */
  readonly isExclusive: boolean;
  readonly signal: AbortSignal;
  /** Called when the request joins the queue. */
  readonly onWait?: (() => void) | undefined;
  readonly logger: Logger;
}

/**
 * Answer to a waiting step: a process with a free slot, permission to start a process, or undefined to keep
 * waiting.
 */
type Admission = PoolMember | 'start' | undefined;

interface Waiter {
  readonly request: SlotRequest;
  readonly admit: (member?: PoolMember) => void;
}

/** Queue of steps that wait for a slot, in the order of their requests. */
export class SlotQueue {
  #waiters: Waiter[] = [];

  get length(): number {
    return this.#waiters.length;
  }

  /** Returns the number of other steps that wait for the same launch key. */
  countOthers(request: SlotRequest): number {
    const { key } = request.launch;
    return this.#waiters.filter((waiter) => {
      return waiter.request !== request && waiter.request.launch.key === key;
    }).length;
  }

  isWaitedFor(key: string): boolean {
    return this.#waiters.some(({ request }) => request.launch.key === key);
  }

  /** Waits for a process with a free slot. Resolves to undefined if the step must ask the pool again. */
  wait(request: SlotRequest): Promise<PoolMember | undefined> {
    return new Promise((resolve) => {
      const leave = (): void => entry.admit();
      const entry: Waiter = {
        request,
        admit: (member) => {
          request.signal.removeEventListener('abort', leave);
          this.#waiters = this.#waiters.filter((waiter) => waiter !== entry);
          resolve(member);
        },
      };
      request.signal.addEventListener('abort', leave, { once: true });
      this.#waiters.push(entry);
      request.onWait?.();
    });
  }

  /** Serves waiting steps in order. A step that cannot be served blocks only later steps with the same launch key. */
  admit(serve: (request: SlotRequest) => Admission): void {
    const blockedKeys = new Set<string>();
    for (const { request, admit } of this.#waiters) {
      const { key } = request.launch;
      if (blockedKeys.has(key)) continue;
      const admission = serve(request);
      if (admission === undefined || admission === 'start') blockedKeys.add(key);
      if (admission === 'start') admit();
      else if (admission !== undefined) admit(admission);
    }
  }

  /** Ends the wait of all steps, because the pool gives no more slots. */
  endWaiting(): void {
    for (const { admit } of this.#waiters) admit();
  }
}
