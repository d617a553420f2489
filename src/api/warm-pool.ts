/** How warm processes are kept. */
export interface PoolOptions {
  /** Processes at most, for each kind of launch (command, arguments, environment). Default 1. */
  readonly maxProcesses?: number | undefined;
  /** Steps that one process runs at the same time. Default 8. */
  readonly sessionsPerProcess?: number | undefined;
  /** A process that has served this many steps is replaced: agents do not free their sessions. Default 50. */
  readonly maxSessions?: number | undefined;
  /** A process that needs more memory than this is replaced too, in MB. Default 1024. */
  readonly maxMemoryMb?: number | undefined;
  /** Seconds after which a process without work is ended. Default 60. */
  readonly idleShutdown?: number | undefined;
  /** Sessions made ahead for each running prompt, in a folder that is used again and again. Default 1. */
  readonly spareSessions?: number | undefined;
}

export interface PoolStats {
  /** Living processes. */
  readonly processes: number;
  /** Steps at work. */
  readonly running: number;
  /** Steps that wait for a place. */
  readonly waiting: number;
  /** Processes started so far. */
  readonly started: number;
  /** Sessions made so far, spare ones included. */
  readonly sessions: number;
}

/** Warm processes that several providers may share: `new AgentPool(options)`. */
export interface WarmPool {
  readonly kind: 'agent-pool';
  stats(): PoolStats;
  /** Ends the processes. Running steps fail with INCOMPLETE. */
  dispose(): Promise<void>;
}
