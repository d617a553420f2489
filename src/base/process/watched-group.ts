import { randomUUID } from 'node:crypto';
import { signalGroup } from './own-session.js';
import { forgetProcesses, noteProcesses, watchProcesses } from './reaper.js';

/** Time after which a reaper is started for a command. Most commands end sooner, and a reaper takes longer to start. */
const LONG_MS = 1_000;

/** Process group of a command that is running. */
export interface WatchedGroup {
  signal(signal: 'SIGTERM' | 'SIGKILL'): void;
  /** Ends the watch, because the command has ended. */
  forget(): void;
}

const living = new Set<number>();
let isListening = false;

/**
 * Watches the process group of a command from its start on: `process.exit` ends the group, and the reaper does so if this process
 * is killed. The terminal does not, because the group is in a session of its own.
 */
export function watchGroup(pid: number | undefined): WatchedGroup {
  if (pid === undefined) return { signal: () => {}, forget: () => {} };
  if (!isListening) process.on('exit', endAll);
  isListening = true;
  living.add(pid);
  const tag = randomUUID();
  noteProcesses(tag, pid);
  const timer = setTimeout(() => watchProcesses(tag, pid), LONG_MS);
  timer.unref();
  return {
    signal: (signal) => signalGroup(pid, signal),
    forget: () => {
      clearTimeout(timer);
      living.delete(pid);
      forgetProcesses(tag);
    },
  };
}

function endAll(): void {
  for (const pid of living) signalGroup(pid, 'SIGTERM');
}
