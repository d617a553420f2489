import type { UnifiedMessage } from '../api/unified-message.js';
import type { StepMessages } from '../sessions/messages/step-messages.js';

/** Returns the messages of a step in the form of Claude's tools. The conversion loads when the first step has ended. */
export async function unifyStep(step: StepMessages): Promise<UnifiedMessage[]> {
  const { unifyMessages } = await import('../sessions/messages/to-unified-messages.js');
  return unifyMessages(step);
}
