import type { SessionRules } from '../broker/session-rules.js';
import type { ControlledSession } from './controlled-session.js';
import type { PromptQueue } from './prompt-queue.js';
import type { Unfinished } from './restored-facts.js';

/**
 * Takes over what an earlier run of the server has left undone: the rules and the prompts that wait. Requests that were open then
 * have no agent that waits for them, so they are closed in the log.
 */
export function restoreUnfinished(
  unfinished: Unfinished,
  session: ControlledSession,
  { prompts, rules }: { readonly prompts: PromptQueue; readonly rules: SessionRules },
): void {
  for (const rule of unfinished.rules) rules.restore(rule);
  for (const prompt of unfinished.prompts) prompts.restore(prompt);
  for (const requestId of unfinished.openRequests)
    session.add({ type: 'decision', requestId, outcome: 'withdrawn' }, 'server');
}
