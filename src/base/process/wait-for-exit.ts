import { type ProcessExit, toProcessExit } from './process-exit.js';
import type { StartedChild } from './start-child.js';
import { settlesWithin } from './timing.js';

/** Time to read the remaining output after the exit. Later output comes from orphaned children. */
const DRAIN_MS = 200;

/** Waits for the exit of a process, not for the end of its output: orphaned children may hold the pipes open. */
export function waitForExit({ process, closed }: StartedChild): Promise<ProcessExit> {
  const gone = new Promise<ProcessExit>((resolve) => {
    process?.once('exit', async (code, signal) => {
      await settlesWithin(closed, DRAIN_MS);
      resolve(toProcessExit(code, signal));
    });
  });
  return Promise.race([closed, gone]);
}
