import type { Logger } from '../../api/logger.js';
import type { Launch } from './launch.js';
import type { PoolMember } from './pool-member.js';
import type { SessionSpec } from './session-spec.js';

export interface SlotRequest {
  readonly launch: Launch;
  readonly spec: SessionSpec;
  /** No other step may run on the same process meanwhile. */
  readonly isExclusive: boolean;
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

/** What a waiter gets: a slot, or leave to start a process. */
type Served = PoolMember | 'start' | undefined;

interface Waiter {
  readonly request: SlotRequest;
  readonly admit: (member?: PoolMember) => void;
}

/** Steps that wait for a slot, in the order in which they came. */
export class SlotQueue {
  #waiters: Waiter[] = [];

  get length(): number {
    return this.#waiters.length;
  }

  isWaitedFor(key: string): boolean {
    return this.#waiters.some(({ request }) => request.launch.key === key);
  }

  /** The slot, or undefined: to look for oneself once more. */
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
    });
  }

  /** Nobody waits for a process that he could not use; among those who could, nobody is overtaken. */
  admit(serve: (request: SlotRequest) => Served): void {
    const keysInUse = new Set<string>();
    for (const { request, admit } of this.#waiters) {
      const { key } = request.launch;
      if (keysInUse.has(key)) continue;
      const served = serve(request);
      if (served === undefined || served === 'start') keysInUse.add(key);
      if (served === 'start') admit();
      else if (served !== undefined) admit(served);
    }
  }

  /** All are to look for themselves: there will be no more slots. */
  dissolve(): void {
    for (const { admit } of this.#waiters) admit();
  }
}
