import type { RemoteEntry } from '../../api/remote-entry.js';
import type { ControlledSession } from './controlled-session.js';
import type { PromptQueue } from './prompt-queue.js';

/**
 * Takes over the log of an earlier run of the server. Requests that were open then have no agent that waits for them, so
 * they are closed in the log.
 */
export function restoreSession(
  entries: readonly RemoteEntry[],
  session: ControlledSession,
  prompts: PromptQueue,
): void {
  const open = new Set<string>();
  for (const entry of entries) {
    session.restore(entry);
    const { content } = entry;
    if (content.type === 'prompt') prompts.restore(content);
    if (content.type === 'request') open.add(content.request.id);
    if (content.type === 'decision') open.delete(content.requestId);
  }
  for (const requestId of open)
    session.add({ type: 'decision', requestId, outcome: 'withdrawn' }, 'server');
}
