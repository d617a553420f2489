import { type ExecaExit, type ProcessExit, toProcessExit } from './spawn-with-files.js';
import { settlesWithin } from './timing.js';

/** Time to read the remaining output after the exit. Later output comes from orphaned children. */
const DRAIN_MS = 200;

/** Part of an execa child process that reports its exit. */
interface EndingChild extends PromiseLike<ExecaExit> {
  readonly pid?: number | undefined;
  once(event: 'exit', listener: (code: number | null, signal: string | null) => void): unknown;
}

/** Waits for the exit of a process, not for the end of its output: orphaned children may hold the pipes open. */
export function waitForExit(child: EndingChild): Promise<ProcessExit> {
  const closed = Promise.resolve(child).then((result) => toProcessExit(child.pid, result));
  const gone = new Promise<ProcessExit>((resolve) => {
    child.once('exit', async (code, signal) => {
      await settlesWithin(closed, DRAIN_MS);
      resolve({ exitCode: code ?? undefined, signal: signal ?? undefined, spawnErrno: undefined });
    });
  });
  return Promise.race([closed, gone]);
}
