import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { killCgroup, removeCgroupSoon } from './cgroup.js';
import { killProcessTree } from './kill-process-tree.js';
import { ProcessTree } from './process-tree.js';
import type { ReaperMessage, WatchProcesses } from './reaper-protocol.js';

/**
 * Separate program that outlives the host process. When its stdin ends, the reaper ends all watched process trees and
 * removes all watched folders. A host killed by SIGKILL cannot clean up in any other way.
 */
process.title = 'gemini-cli-provider-reaper';
/** Tries to remove a cgroup: no later program would do so soon, and nothing waits for the reaper. */
const REMOVAL_TRIES = 600;
const trees = new Map<string, WatchProcesses>();
const folders = new Set<string>();

// The host has died if its end of the pipe is closed: the end of stdin tells the same.
process.stdout.on('error', () => {});

for await (const line of createInterface({ input: process.stdin })) accept(JSON.parse(line));
await Promise.all([...trees.values()].map(end));
// `allSettled`: if one folder cannot be removed, still remove the others.
await Promise.allSettled(
  [...folders].map((path) => rm(path, { recursive: true, force: true, maxRetries: 3 })),
);

async function end(watched: WatchProcesses): Promise<void> {
  const { pid, startTime, cgroup } = watched;
  const tree = new ProcessTree({ ...watched, rootPid: pid, rootStartTime: startTime });
  await killProcessTree({
    rootPid: pid,
    living: () => tree.living(),
    killAtOnce: () => cgroup !== undefined && killCgroup(cgroup),
  });
  if (cgroup !== undefined) await removeCgroupSoon(cgroup, REMOVAL_TRIES);
}

function accept(message: ReaperMessage): void {
  switch (message.type) {
    case 'watch-processes':
      trees.set(message.tag, message);
      break;
    case 'forget-processes':
      trees.delete(message.tag);
      break;
    case 'watch-folder':
      folders.add(message.path);
      break;
    case 'forget-folder':
      folders.delete(message.path);
      break;
    case 'ping':
      process.stdout.write('pong\n');
      break;
  }
}
