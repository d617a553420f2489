import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import type { ReaperMessage, WatchFolder, WatchProcesses } from './reaper-protocol.js';
import { settlesWithin } from './timing.js';

/** Found from `src/` and from `.build/`; the build rewrites the path for `dist/`. Node runs only the bundle. */
const REAPER_MAIN = fileURLToPath(new URL('../../../dist/reaper.js', import.meta.url));
const CLOSE_WAIT_MS = 3_000;

interface Reaper {
  send(message: ReaperMessage): void;
  close(): Promise<void>;
}

/** One for the whole process, however many runs there are. */
let reaper: Reaper | undefined;
const watchedRuns = new Map<string, WatchProcesses>();
const watchedFolders = new Map<string, WatchFolder>();

/** From now on the run ends with us, however we end. Called again once its pid is known. */
export function watchProcesses(tag: string, pid?: number): void {
  const message: WatchProcesses = { type: 'watch-run', tag, pid };
  watchedRuns.set(tag, message);
  tell(message);
}

export function forgetProcesses(tag: string): void {
  watchedRuns.delete(tag);
  reaper?.send({ type: 'forget-run', tag });
}

/** From now on the folder goes with us, whether it is there by then or not. */
export function watchFolder(path: string): void {
  const message: WatchFolder = { type: 'watch-folder', path };
  watchedFolders.set(path, message);
  tell(message);
}

export function forgetFolder(path: string): void {
  watchedFolders.delete(path);
  reaper?.send({ type: 'forget-folder', path });
}

/** Ends the reaper where nothing is left to watch. */
export async function closeIdleReaper(): Promise<void> {
  if (watchedRuns.size > 0 || watchedFolders.size > 0) return;
  const closing = reaper;
  reaper = undefined;
  await closing?.close();
}

function tell(message: WatchProcesses | WatchFolder): void {
  if (reaper === undefined) replaceReaper();
  else reaper.send(message);
}

/** The new one has to be told of everything that a dead one knew. */
function replaceReaper(): void {
  const started = startReaper(() => {
    if (reaper === started) reaper = undefined;
  });
  reaper = started;
  for (const message of [...watchedFolders.values(), ...watchedRuns.values()])
    started.send(message);
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
