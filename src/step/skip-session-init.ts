import type { AgentEvent } from '../api/agent-event.js';

/** A session that goes on has been announced already. */
export async function* skipSessionInit<Outcome>(
  events: AsyncIterator<AgentEvent, Outcome>,
): AsyncGenerator<AgentEvent, Outcome> {
  try {
    for (;;) {
      const next = await events.next();
      if (next.done) return next.value;
      if (next.value.type !== 'session-init') yield next.value;
    }
  } finally {
    await events.return?.();
  }
}
