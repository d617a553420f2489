import { expect, it, onTestFinished, vi } from 'vitest';
import { WaitNotice } from '../../../src/agents/acp/wait-notice.js';
import type { AgentEvent } from '../../../src/api/agent-event.js';

it('WaitNotice reports a wait once, unless it is over in a moment', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const events: AgentEvent[] = [];
  const short = new WaitNotice((event) => events.push(event));
  short.begin();
  vi.advanceTimersByTime(100);
  short.end();
  const long = new WaitNotice((event) => events.push(event));
  long.begin();
  vi.advanceTimersByTime(150);
  long.begin();
  vi.advanceTimersByTime(10_000);
  long.end();
  const message = 'The step waits for a slot of the pool';
  expect(events).toEqual([{ type: 'session-status', status: 'waiting', message }]);
});
