import type { AgentProcess } from './agent-process.js';
import type { PoolMember } from './pool-member.js';
import type { SessionHandle } from './session-handle.js';
import type { SessionSpec } from './session-spec.js';

/**
 * Delay of a spare session. An agent has one thread: it must send the prompt first, and can create a session while
 * the model works.
 */
const SPARE_DELAY_MS = 50;

/** Right to run one step on a pooled process. */
export interface PoolSlot {
  readonly process: AgentProcess;
  open(): Promise<SessionHandle>;
  load(sessionId: string): Promise<SessionHandle>;
  /** Creates spare sessions, and a replacement process if needed, while the prompt of this step runs. */
  prepareNext(): void;
  /** True if other steps run on the same process. */
  isShared(): boolean;
  release(): void;
  /** Gives the process no further steps. Steps that run on it continue. */
  retire(): void;
  /** Ends a process that does not react any more. Other steps on it fail. */
  discard(): Promise<void>;
}

/** Connection of a slot to its pool: the step that it serves, and the actions of the pool on the process. */
interface SlotOptions {
  readonly spec: SessionSpec;
  /** Number of spare sessions for each running step. */
  readonly spareSessions: number;
  /** Starts another process if this one is close to its last session. */
  readonly startAhead: () => void;
  readonly release: () => void;
  /** Removes the process from the pool and ends it. */
  readonly end: () => void;
}

/** Creates a slot on a process that already counts the step as running. */
export function createPoolSlot(member: PoolMember, options: SlotOptions): PoolSlot {
  const { spec, spareSessions } = options;
  let isReleased = false;
  return {
    process: member.process,
    open: () => member.open(spec),
    load: (sessionId) => member.load(spec, sessionId),
    prepareNext: () => {
      options.startAhead();
      const wanted = (): number => spareSessions * Math.max(1, member.active);
      setTimeout(() => member.createSpares(spec, wanted), SPARE_DELAY_MS).unref();
    },
    isShared: () => member.active > 1,
    release: () => {
      if (!isReleased) options.release();
      isReleased = true;
    },
    retire: () => {
      member.isRetired = true;
    },
    discard: async () => {
      options.end();
      await member.process.end();
    },
  };
}
