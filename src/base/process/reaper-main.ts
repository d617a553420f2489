import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { killProcessTree } from './kill-process-tree.js';
import { ProcessTree } from './process-tree.js';
import type { ReaperMessage } from './reaper-protocol.js';

/**
 * A program of its own: it outlives the process that started it, sees the end of its pipe, and ends every
 * run that was still going on. A process killed with SIGKILL can do that by no other means.
 */
process.title = 'gemini-cli-provider-reaper';
const pids = new Map<string, number | undefined>();
const folders = new Set<string>();

for await (const line of createInterface({ input: process.stdin })) accept(JSON.parse(line));
await Promise.all(
  [...pids].map(([tag, rootPid]) => killProcessTree(new ProcessTree({ tag: tag, rootPid }))),
);
// One that cannot be removed must not save the others.
await Promise.allSettled(
  [...folders].map((path) => rm(path, { recursive: true, force: true, maxRetries: 3 })),
);

function accept(message: ReaperMessage): void {
  switch (message.type) {
    case 'watch-run':
      pids.set(message.tag, message.pid);
      break;
    case 'forget-run':
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
