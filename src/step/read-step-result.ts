import type { AgentEvent } from '../api/agent-event.js';
import type { GenerateResult } from '../api/result.js';
import { readResult } from '../base/events/read-result.js';
import { StepMessages } from '../sessions/messages/step-messages.js';
import { unifyStep } from './unify-step.js';

/** Reads the events of a step up to its result, and adds the messages of the step. Throws the error of a failed step. */
export async function readStepResult(events: AsyncIterable<AgentEvent>): Promise<GenerateResult> {
  const step = new StepMessages();
  const result = await readResult(events, (event) => step.accept(event));
  return { ...result, messages: await unifyStep(step) };
}
