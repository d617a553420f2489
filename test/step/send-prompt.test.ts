import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/api/agent-event.js';
import { skipSessionInit } from '../../src/step/send-prompt.js';

const INIT: AgentEvent = { type: 'session-init', sessionId: 's' };
const TEXT: AgentEvent = { type: 'text', text: 'a', textKind: 'text' };

describe('a continued session', () => {
  it('yields no second session-init and all other events unchanged', async () => {
    async function* source(): AsyncGenerator<AgentEvent, number> {
      yield INIT;
      yield TEXT;
      return 7;
    }
    const events = skipSessionInit(source());
    expect(await events.next()).toEqual({ done: false, value: TEXT });
    expect(await events.next()).toEqual({ done: true, value: 7 });
  });

  it('ends its source when the caller stops reading events', async () => {
    let isLeft = false;
    async function* source(): AsyncGenerator<AgentEvent, void> {
      try {
        for (;;) yield TEXT;
      } finally {
        isLeft = true;
      }
    }
    for await (const event of skipSessionInit(source())) {
      expect(event).toBe(TEXT);
      break;
    }
    expect(isLeft).toBe(true);
  });
});
