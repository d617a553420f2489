import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { OWN_SESSION } from './own-session.js';
import { readStartTime } from './process-table.js';
import type { ReaperMessage, WatchFolder, WatchProcesses } from './reaper-protocol.js';
import { settlesWithin } from './timing.js';

/** Path of the bundled reaper, seen from `src/` and `.build/`. The build rewrites it for `dist/`. Node runs only the bundle. */
const REAPER_MAIN = fileURLToPath(new URL('../../../dist/reaper.js', import.meta.url));
const CLOSE_WAIT_MS = 3_000;

/** Time between two pings. A reaper that has not answered the last three of them is replaced. */
const PING_MS = 1_500;
const MAX_UNANSWERED = 3;
/** Time that a reaper has for its first answer: a loaded machine starts Node slowly. */
const START_MS = 30_000;
/** Shortest life of a reaper that is replaced at once. A reaper that cannot start must not be started in a loop. */
const SHORTEST_LIFE_MS = 1_000;

interface Reaper {
  send(message: ReaperMessage): void;
  close(): Promise<void>;
}

/** Reaper of this process, shared by all process trees and folders. */
let reaper: Reaper | undefined;
const watchedTrees = new Map<string, WatchProcesses>();
const watchedFolders = new Map<string, WatchFolder>();
const removals = new Set<Promise<void>>();

/** Lets the reaper end a process tree when this process ends, even by SIGKILL. Call it again when the pid is known. */
export function watchProcesses(
  tag: string,
  pid?: number,
  more: Pick<WatchProcesses, 'cgroup' | 'launcherPid'> = {},
): void {
  sendToReaper(rememberProcesses(tag, pid, more));
}

/** Like `watchProcesses`, but starts no reaper: only one that runs, or is started later, learns of the processes. */
export function noteProcesses(tag: string, pid: number): void {
  const message = rememberProcesses(tag, pid);
  reaper?.send(message);
}

function rememberProcesses(
  tag: string,
  pid: number | undefined,
  more: Pick<WatchProcesses, 'cgroup' | 'launcherPid'> = {},
): WatchProcesses {
  const startTime = pid === undefined ? undefined : readStartTime(pid);
  const message: WatchProcesses = { type: 'watch-processes', tag, pid, startTime, ...more };
  watchedTrees.set(tag, message);
  return message;
}

export function forgetProcesses(tag: string): void {
  watchedTrees.delete(tag);
  reaper?.send({ type: 'forget-processes', tag });
}

/**
 * Forgets a process tree when its last remains are removed. If this process ends before that, or if the remains stay, the
 * reaper removes them. A tree that has the same tag by then is a later one, and stays watched.
 */
export function forgetWhenRemoved(tag: string, removed: Promise<boolean>): void {
  const watched = watchedTrees.get(tag);
  const removal = removed.then((isRemoved) => {
    removals.delete(removal);
    if (isRemoved && watchedTrees.get(tag) === watched) forgetProcesses(tag);
  });
  removals.add(removal);
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
  await Promise.all(removals);
  if (watchedTrees.size > 0 || watchedFolders.size > 0) return;
  const closing = reaper;
  reaper = undefined;
  await closing?.close();
}

function sendToReaper(message: WatchProcesses | WatchFolder): void {
  if (reaper === undefined) replaceReaper();
  else reaper.send(message);
}

/**
 * Starts a reaper and sends it everything that is watched. A reaper that dies or stops while steps are at work is
 * replaced at once: if this process were killed later, nothing else would end its steps.
 */
function replaceReaper(): void {
  const startedAt = performance.now();
  const started = startReaper(() => {
    if (reaper !== started) return;
    reaper = undefined;
    const isEarly = performance.now() - startedAt < SHORTEST_LIFE_MS;
    if (isEarly) setTimeout(replaceIfNeeded, SHORTEST_LIFE_MS).unref();
    else replaceIfNeeded();
  });
  reaper = started;
  for (const message of [...watchedFolders.values(), ...watchedTrees.values()])
    started.send(message);
}

function replaceIfNeeded(): void {
  if (reaper === undefined && watchedTrees.size + watchedFolders.size > 0) replaceReaper();
}

function startReaper(onExit: () => void): Reaper {
  const child = execa(process.execPath, [REAPER_MAIN], {
    ...OWN_SESSION,
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'ignore',
    buffer: false,
    env: {},
    extendEnv: false,
  });
  const send = (message: ReaperMessage): void => {
    child.stdin.write(`${JSON.stringify(message)}\n`);
  };
  const stopPings = pingReaper(child.stdout, send, () => void child.kill('SIGKILL'));
  child.unref();
  child.once('exit', () => {
    stopPings();
    onExit();
  });
  // Ignore EPIPE of a dead reaper: its exit starts a new one.
  for (const pipe of [child.stdin, child.stdout]) {
    pipe.on('error', () => {});
    if ('unref' in pipe && typeof pipe.unref === 'function') pipe.unref();
  }
  return {
    send,
    // Kill the reaper instead of closing its pipe: nothing is left to clean up.
    close: async () => {
      stopPings();
      child.kill('SIGKILL');
      await settlesWithin(child, CLOSE_WAIT_MS);
    },
  };
}

/** Asks a reaper again and again whether it is at work, and kills one that does not answer, such as a stopped one. */
function pingReaper(
  answers: Readable,
  send: (message: ReaperMessage) => void,
  kill: () => void,
): () => void {
  let unanswered = -Math.ceil(START_MS / PING_MS);
  answers.on('data', () => {
    unanswered = 0;
  });
  const timer = setInterval(() => {
    if (unanswered >= MAX_UNANSWERED) kill();
    unanswered++;
    send({ type: 'ping' });
  }, PING_MS);
  timer.unref();
  send({ type: 'ping' });
  return () => clearInterval(timer);
}
