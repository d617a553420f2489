import type { RemoteEntry, RemotePromptEntry } from '../../api/remote-entry.js';
import type { SessionRules } from '../broker/session-rules.js';
import type { ControlledSession } from './controlled-session.js';
import type { PromptQueue } from './prompt-queue.js';

/**
 * Takes over the log of an earlier run of the server, with the rules and the prompts that wait. Requests that were open then have no
 * agent that waits for them, so they are closed in the log.
 */
export function restoreSession(
  entries: readonly RemoteEntry[],
  session: ControlledSession,
  { prompts, rules }: { readonly prompts: PromptQueue; readonly rules: SessionRules },
): void {
  const open = new Set<string>();
  const lastOfPrompts = new Map<string, RemotePromptEntry>();
  for (const entry of entries) {
    session.restore(entry);
    const { content } = entry;
    if (content.type === 'prompt') lastOfPrompts.set(content.promptId, content);
    if (content.type === 'rule') {
      if (content.isRevoked) rules.revoke(content.rule.id);
      else rules.restore(content.rule);
    }
    if (content.type === 'request') open.add(content.request.id);
    if (content.type === 'decision') open.delete(content.requestId);
  }
  for (const prompt of lastOfPrompts.values()) prompts.restore(prompt);
  for (const requestId of open)
    session.add({ type: 'decision', requestId, outcome: 'withdrawn' }, 'server');
}
