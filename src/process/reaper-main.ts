import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { ProcessFamily } from './process-family.js';
import type { ReaperMessage } from './reaper-protocol.js';
import { terminateFamily } from './terminate-family.js';

/**
 * A program of its own: it outlives the process that started it, sees the end of its pipe, and ends every
 * run that was still going on. A process killed with SIGKILL can do that by no other means.
 */
process.title = 'gemini-cli-provider-reaper';
const runs = new Map<string, Extract<ReaperMessage, { type: 'watch' }>>();

for await (const line of createInterface({ input: process.stdin })) {
  const message: ReaperMessage = JSON.parse(line);
  if (message.type === 'watch') runs.set(message.runId, message);
  else runs.delete(message.runId);
}
await Promise.all(
  [...runs.values()].map(async ({ runId, pid, directory }) => {
    await terminateFamily(new ProcessFamily({ runId, rootPid: pid }));
    await rm(directory, { recursive: true, force: true });
  }),
);
