import { expect, it, onTestFinished, vi } from 'vitest';
import type { AgentEvent } from '../../../src/api/agent-event.js';
import type { BatchEvent } from '../../../src/api/batch-event.js';
import { SlotWait } from '../../../src/batch/run/slot-wait.js';

const waiting: AgentEvent = { type: 'session-status', status: 'waiting', message: 'w' };
const init: AgentEvent = { type: 'session-init', sessionId: 's' };

it('SlotWait passes events on, reports a wait for a slot, and measures it up to the next event', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const events: BatchEvent[] = [];
  const slotWait = new SlotWait('a', (event) => events.push(event));
  slotWait.accept(init);
  vi.advanceTimersByTime(500);
  expect(slotWait.waitedMs).toBe(undefined);
  slotWait.accept(waiting);
  vi.advanceTimersByTime(3000);
  expect(slotWait.waitedMs).toBe(3000);
  slotWait.accept(init);
  vi.advanceTimersByTime(9000);
  slotWait.accept(waiting);
  vi.advanceTimersByTime(10);
  expect(slotWait.waitedMs).toBe(3010);
  const progress = (event: AgentEvent) => ({ type: 'step-progress', stepId: 'a', event });
  const wait = { type: 'step-waiting', stepId: 'a', waitsFor: 'slot' };
  expect(events).toEqual([
    progress(init),
    progress(waiting),
    wait,
    progress(init),
    progress(waiting),
    wait,
  ]);
});
