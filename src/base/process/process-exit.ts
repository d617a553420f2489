/** How a process ended. */
export interface ProcessExit {
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  /** Set if the process could not be started: `ENOENT`, `E2BIG`, … */
  readonly spawnErrno?: string | undefined;
}

/** Converts what Node reports of the exit of a process that was started. */
export function toProcessExit(code: number | null, signal: string | null): ProcessExit {
  return { exitCode: code ?? undefined, signal: signal ?? undefined, spawnErrno: undefined };
}
