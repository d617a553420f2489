/**
 * Options with which every process of this package is started. A session and a process group of its own keep the process out
 * of reach of the terminal: Ctrl-C, and SIGHUP of a closed terminal, reach this process only, which then ends its helpers
 * itself, in order.
 */
export const NEW_SESSION = { detached: true, windowsHide: true } as const;

/**
 * The same options for execa, which must not end the process at the exit of this one: agents end by the reaper, commands by
 * `captureCommand`.
 */
export const OWN_SESSION = { ...NEW_SESSION, cleanup: false, reject: false } as const;

/** Signals that a terminal, a supervisor or the shutdown of a system sends to all processes of a job at once. */
const ENDING_SIGNALS: Readonly<Record<string, number>> = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };
/** Exit code of a shell whose command was ended by a signal, without the number of the signal. */
const SHELL_BASE = 128;

/**
 * Returns the name of the signal by which a job was ended from outside: the process died of it, or exited with the code that
 * shells use for it. Undefined if the process ended in another way.
 */
export function findEndingSignal(exit: {
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
}): string | undefined {
  const { exitCode, signal } = exit;
  return Object.keys(ENDING_SIGNALS).find(
    (name) => name === signal || exitCode === SHELL_BASE + (ENDING_SIGNALS[name] ?? 0),
  );
}

/** Sends a signal to the process group that a process leads. Windows has no groups: the process alone is ended. */
export function signalGroup(pid: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // The group has ended (ESRCH).
  }
}
