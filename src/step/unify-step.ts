import type { UnifiedMessage } from '../api/unified-message.js';
import type { StepMessages } from '../sessions/messages/step-messages.js';

/** Node resolves the name of a module at each import. */
let loading: Promise<typeof import('../sessions/messages/to-unified-messages.js')> | undefined;

/** Returns the messages of a step in the form of Claude's tools. The conversion loads when the first step has ended. */
export async function unifyStep(step: StepMessages): Promise<UnifiedMessage[]> {
  loading ??= import('../sessions/messages/to-unified-messages.js');
  const { unifyMessages } = await loading;
  return unifyMessages(step);
}
