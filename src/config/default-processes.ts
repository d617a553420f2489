import { availableParallelism } from 'node:os';

/** More processes take more memory than most machines can spare: each takes about 300 MB. */
const MOST_PROCESSES = 4;

/** Returns how many warm processes a pool may start if the caller sets no limit. */
export function defaultProcesses(cores = availableParallelism()): number {
  return Math.min(MOST_PROCESSES, cores);
}
