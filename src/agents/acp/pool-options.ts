import type { PoolOptions } from '../../api/warm-pool.js';
import { toSeconds } from '../../base/text/parse-duration.js';
import { defaultProcesses } from '../../config/default-processes.js';

export type ResolvedPoolOptions = Required<{ readonly [Key in keyof PoolOptions]: number }>;

export function resolvePoolOptions(options: PoolOptions): ResolvedPoolOptions {
  return {
    maxProcesses: options.maxProcesses ?? defaultProcesses(),
    sessionsPerProcess: options.sessionsPerProcess ?? 8,
    maxSessions: options.maxSessions ?? 50,
    maxMemoryMb: options.maxMemoryMb ?? 1024,
    idleShutdown: toSeconds(options.idleShutdown) ?? 60,
    spareSessions: options.spareSessions ?? 1,
  };
}
