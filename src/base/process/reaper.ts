import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import type { ReaperMessage, WatchFolder, WatchProcesses } from './reaper-protocol.js';
import { settlesWithin } from './timing.js';

/** Path of the bundled reaper, seen from `src/` and `.build/`. The build rewrites it for `dist/`. Node runs only the bundle. */
const REAPER_MAIN = fileURLToPath(new URL('../../../dist/reaper.js', import.meta.url));
const CLOSE_WAIT_MS = 3_000;

interface Reaper {
  send(message: ReaperMessage): void;
  close(): Promise<void>;
}

/** Reaper of this process, shared by all process trees and folders. */
let reaper: Reaper | undefined;
const watchedTrees = new Map<string, WatchProcesses>();
const watchedFolders = new Map<string, WatchFolder>();

/** Lets the reaper end a process tree when this process ends, even by SIGKILL. Call it again when the pid is known. */
export function watchProcesses(tag: string, pid?: number): void {
  const message: WatchProcesses = { type: 'watch-processes', tag, pid };
  watchedTrees.set(tag, message);
  sendToReaper(message);
}

export function forgetProcesses(tag: string): void {
  watchedTrees.delete(tag);
  reaper?.send({ type: 'forget-processes', tag });
}

/** Lets the reaper remove a folder when this process ends. The folder need not exist yet. */
export function watchFolder(path: string): void {
  const message: WatchFolder = { type: 'watch-folder', path };
  watchedFolders.set(path, message);
  sendToReaper(message);
}

export function forgetFolder(path: string): void {
  watchedFolders.delete(path);
  reaper?.send({ type: 'forget-folder', path });
}

/** Ends the reaper if it has nothing left to watch. */
export async function closeIdleReaper(): Promise<void> {
  if (watchedTrees.size > 0 || watchedFolders.size > 0) return;
  const closing = reaper;
  reaper = undefined;
  await closing?.close();
}

function sendToReaper(message: WatchProcesses | WatchFolder): void {
  if (reaper === undefined) replaceReaper();
  else reaper.send(message);
}

/** Starts a reaper and sends it everything that is watched: a reaper that died may have known some of it. */
function replaceReaper(): void {
  const started = startReaper(() => {
    if (reaper === started) reaper = undefined;
  });
  reaper = started;
  for (const message of [...watchedFolders.values(), ...watchedTrees.values()])
    started.send(message);
}

function startReaper(onExit: () => void): Reaper {
  const child = execa(process.execPath, [REAPER_MAIN], {
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'ignore',
    // A session of its own: a Ctrl-C in the terminal must not end the reaper before this process.
    detached: true,
    cleanup: false,
    reject: false,
    env: {},
    extendEnv: false,
  });
  child.unref();
  child.once('exit', onExit);
  // Ignore EPIPE of a dead reaper: steps work without it, and the next watch starts a new one.
  child.stdin.on('error', () => {});
  if ('unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref();
  return {
    send: (message) => {
      child.stdin.write(`${JSON.stringify(message)}\n`);
    },
    // Kill the reaper instead of closing its pipe: nothing is left to clean up.
    close: async () => {
      child.kill('SIGKILL');
      await settlesWithin(child, CLOSE_WAIT_MS);
    },
  };
}
