import type { AgentEvent } from '../api/agent-event.js';
import type { StepOutput } from '../api/result.js';
import type { Redactor } from '../base/errors/redact.js';

/** Redacts status and unknown events, which end up in logs. Text and tool calls of the model stay as they are. */
export function redactEvent(event: AgentEvent, redactor: Redactor): AgentEvent {
  return event.type === 'session-status' || event.type === 'unknown'
    ? redactor.value(event)
    : event;
}

/** Redacts warnings and refused tools of a result, which end up in logs. Text and files stay as they are. */
export function redactOutput(output: StepOutput, redactor: Redactor): StepOutput {
  return {
    ...output,
    warnings: redactor.value(output.warnings),
    deniedTools: redactor.value(output.deniedTools),
  };
}
