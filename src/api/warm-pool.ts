import type { Duration } from './duration.js';

/** Options of a pool of warm processes. */
export interface PoolOptions {
  /**
   * Largest number of processes that take steps, for each kind of launch (command, arguments, environment). Never more
   * than `maxProcesses` x `sessionsPerProcess` steps run at the same time, and never more than twice as many processes
   * exist: a process that is replaced finishes its steps first. A further process is started when all slots of the others
   * are taken, and on Linux also when steps on a process have used most of a core for five seconds.
   *
   * @defaultValue the number of cores, at most 4
   */
  readonly maxProcesses?: number | undefined;
  /**
   * Steps that one process runs at the same time.
   *
   * @defaultValue `8`
   */
  readonly sessionsPerProcess?: number | undefined;
  /**
   * Steps after which a process is replaced, because agents do not free the memory of their sessions.
   *
   * @defaultValue `50`
   */
  readonly maxSessions?: number | undefined;
  /**
   * Memory in MB above which a process is replaced.
   *
   * @defaultValue `1024`
   */
  readonly maxMemoryMb?: number | undefined;
  /**
   * Time without work after which a process is ended: seconds, or a text as `5m`.
   *
   * @defaultValue `60`
   */
  readonly idleShutdown?: Duration | undefined;
  /**
   * Sessions that are created ahead for each running step, so that the next step in the same folder starts at once.
   *
   * @defaultValue `1`
   */
  readonly spareSessions?: number | undefined;
}

/** Numbers of a pool at one moment. */
export interface PoolStats {
  /** Living processes, those that are draining included. */
  readonly processes: number;
  /** Processes that take no further steps and end after their last one. */
  readonly draining: number;
  /** Running steps. */
  readonly running: number;
  /** Steps that wait for a slot. */
  readonly waiting: number;
  /** Processes started so far. */
  readonly started: number;
  /** Sessions created so far, spare ones included. */
  readonly sessions: number;
  /** Largest number of processes that take steps, for each kind of launch. */
  readonly maxProcesses: number;
  /** Cores that this process may use. */
  readonly cores: number;
  /** Origin of `maxProcesses`: the option of the pool, or the number of cores. */
  readonly limitedBy: 'option' | 'cores';
}

/** Pool of warm processes that several providers may share. Create one with `new AgentPool(options)`. */
export interface WarmPool {
  /** Marks the object as a pool. */
  readonly kind: 'agent-pool';
  /** Returns the numbers of the pool at this moment. */
  stats(): PoolStats;
  /** Ends all processes. Running steps fail with INCOMPLETE. */
  dispose(): Promise<void>;
}
