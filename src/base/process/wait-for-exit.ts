import type { ProcessExit } from './spawn-cli.js';
import { settlesWithin } from './timing.js';

/** What it has written before its end is read within this, or is not its own. */
const DRAIN_MS = 200;

/** The part of a child of execa's that tells of its end. */
interface EndingChild
  extends PromiseLike<{
    readonly exitCode?: number | undefined;
    readonly signal?: string | undefined;
    readonly code?: string | undefined;
  }> {
  readonly pid?: number | undefined;
  once(event: 'exit', listener: (code: number | null, signal: string | null) => void): unknown;
}

/** It is over when it has gone, although others whom it has left behind may hold its output open. */
export function waitForExit(child: EndingChild): Promise<ProcessExit> {
  const closed = Promise.resolve(child).then(({ exitCode, signal, code }) => {
    const spawnErrno = child.pid === undefined ? (code ?? 'UNKNOWN') : undefined;
    return { exitCode, signal, spawnErrno };
  });
  const gone = new Promise<ProcessExit>((resolve) => {
    child.once('exit', async (code, signal) => {
      await settlesWithin(closed, DRAIN_MS);
      resolve({ exitCode: code ?? undefined, signal: signal ?? undefined, spawnErrno: undefined });
    });
  });
  return Promise.race([closed, gone]);
}
