import type { AgentEvent } from '../api/agent-event.js';

/** Returns the event with a time: that of the agent, or the present one. A slow consumer may get the event much later. */
export function stampEvent(event: AgentEvent): AgentEvent {
  return event.timestamp === undefined ? { ...event, timestamp: new Date().toISOString() } : event;
}
