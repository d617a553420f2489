import type { AgentEvent } from '../api/agent-event.js';
import type { StepOutput } from '../api/result.js';
import type { Redactor } from '../base/errors/redact.js';

/** The CLI's own remarks end up in logs and on screens. What the model says and does is handed over as it is. */
export function redactEvent(event: AgentEvent, redactor: Redactor): AgentEvent {
  return event.type === 'session-status' || event.type === 'unknown'
    ? redactor.value(event)
    : event;
}

/** The same for a result: text and files are the caller's, the remarks on them are for everybody. */
export function redactOutput(output: StepOutput, redactor: Redactor): StepOutput {
  return {
    ...output,
    warnings: redactor.value(output.warnings),
    deniedTools: redactor.value(output.deniedTools),
  };
}
