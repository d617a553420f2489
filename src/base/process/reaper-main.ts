import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { killProcessTree } from './kill-process-tree.js';
import { ProcessTree } from './process-tree.js';
import type { ReaperMessage } from './reaper-protocol.js';

/**
 * Separate program that outlives the host process. When its stdin ends, the reaper ends all watched process trees and
 * removes all watched folders. A host killed by SIGKILL cannot clean up in any other way.
 */
process.title = 'gemini-cli-provider-reaper';
const pids = new Map<string, number | undefined>();
const folders = new Set<string>();

for await (const line of createInterface({ input: process.stdin })) accept(JSON.parse(line));
await Promise.all(
  [...pids].map(([tag, rootPid]) => killProcessTree(new ProcessTree({ tag, rootPid }))),
);
// `allSettled`: if one folder cannot be removed, still remove the others.
await Promise.allSettled(
  [...folders].map((path) => rm(path, { recursive: true, force: true, maxRetries: 3 })),
);

function accept(message: ReaperMessage): void {
  switch (message.type) {
    case 'watch-processes':
      pids.set(message.tag, message.pid);
      break;
    case 'forget-processes':
      pids.delete(message.tag);
      break;
    case 'watch-folder':
      folders.add(message.path);
      break;
    case 'forget-folder':
      folders.delete(message.path);
      break;
  }
}
