import { readCpuMs } from '../../base/process/process-table.js';

/**
 * Time over which a process must be busy. A further process costs about two seconds of CPU time, so it pays only in a pool
 * whose steps go on for longer.
 */
const WINDOW_MS = 5_000;
/** Share of one core from which on the steps of a process wait for its CPU time, not for the model. */
const BUSY_SHARE = 0.8;

interface LoadedProcess {
  /** Number of steps that run on the process. */
  readonly active: number;
  readonly process: { readonly pid: number | undefined };
}

/** Measures which processes of a pool keep a core busy with several steps. Knows nothing outside Linux. */
export class ProcessLoad {
  readonly #readCpuMs: (pid: number) => number | undefined;
  readonly #marks = new WeakMap<LoadedProcess, { readonly atMs: number; readonly cpuMs: number }>();

  constructor(read = readCpuMs) {
    this.#readCpuMs = read;
  }

  /** True if the process had several steps and used most of a core since a call at least one window ago. */
  isBusy(member: LoadedProcess, nowMs = performance.now()): boolean {
    const { pid } = member.process;
    const cpuMs = pid === undefined ? undefined : this.#readCpuMs(pid);
    if (cpuMs === undefined) return false;
    const mark = this.#marks.get(member);
    if (member.active < 2 || mark === undefined) {
      this.#marks.set(member, { atMs: nowMs, cpuMs });
      return false;
    }
    const passedMs = nowMs - mark.atMs;
    if (passedMs < WINDOW_MS) return false;
    this.#marks.set(member, { atMs: nowMs, cpuMs });
    return (cpuMs - mark.cpuMs) / passedMs > BUSY_SHARE;
  }
}
