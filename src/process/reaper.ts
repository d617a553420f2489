import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import type { ReaperMessage } from './reaper-protocol.js';
import { settlesWithin } from './timing.js';

/** Found from `src/` as well as from `dist/`: node runs only the compiled one. */
const REAPER_MAIN = fileURLToPath(new URL('../../dist/process/reaper-main.js', import.meta.url));
const CLOSE_WAIT_MS = 3_000;

interface Reaper {
  send(message: ReaperMessage): void;
  close(): Promise<void>;
}

type WatchMessage = Extract<ReaperMessage, { type: 'watch' }>;

/** One for the whole process, however many runs there are. */
let reaper: Reaper | undefined;
const watched = new Map<string, WatchMessage>();

/** From now on the run ends with us, however we end. Called again once its pid is known. */
export function watchRun(runId: string, directory: string, pid?: number): void {
  const message: WatchMessage = { type: 'watch', runId, directory, pid };
  watched.set(runId, message);
  if (reaper === undefined) replaceReaper();
  else reaper.send(message);
}

export function forgetRun(runId: string): void {
  watched.delete(runId);
  reaper?.send({ type: 'forget', runId });
}

/** Ends the reaper where nothing is left to watch. */
export async function closeIdleReaper(): Promise<void> {
  if (watched.size > 0) return;
  const closing = reaper;
  reaper = undefined;
  await closing?.close();
}

/** The new one has to be told of everything that a dead one knew. */
function replaceReaper(): void {
  const started = startReaper(() => {
    if (reaper === started) reaper = undefined;
  });
  reaper = started;
  for (const message of watched.values()) started.send(message);
}

function startReaper(onExit: () => void): Reaper {
  const child = execa(process.execPath, [REAPER_MAIN], {
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'ignore',
    // Its own session: a Ctrl-C in our terminal must not end it before us.
    detached: true,
    cleanup: false,
    reject: false,
    env: {},
    extendEnv: false,
  });
  child.unref();
  child.once('exit', onExit);
  // A reaper that has died takes nothing with it but the safety net.
  child.stdin.on('error', () => {});
  if ('unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref();
  return {
    send: (message) => {
      child.stdin.write(`${JSON.stringify(message)}\n`);
    },
    // It has nothing to do any more, so there is no need to let it find out for itself.
    close: async () => {
      child.kill('SIGKILL');
      await settlesWithin(child, CLOSE_WAIT_MS);
    },
  };
}
