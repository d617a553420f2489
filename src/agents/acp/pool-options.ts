import type { PoolOptions } from '../../api/warm-pool.js';
import { toSeconds } from '../../base/text/parse-duration.js';

export type ResolvedPoolOptions = Required<{ readonly [Key in keyof PoolOptions]: number }>;

export function resolvePoolOptions(options: PoolOptions): ResolvedPoolOptions {
  return {
    maxProcesses: options.maxProcesses ?? 1,
    sessionsPerProcess: options.sessionsPerProcess ?? 8,
    maxSessions: options.maxSessions ?? 50,
    maxMemoryMb: options.maxMemoryMb ?? 1024,
    idleShutdown: toSeconds(options.idleShutdown) ?? 60,
    spareSessions: options.spareSessions ?? 1,
  };
}
