import { afterAll, expect, it } from 'vitest';
import { closeIdleReaper } from '../../../src/base/process/reaper.js';
import { runBatch } from '../../../src/batch/run/run-batch.js';
import { openAgent } from '../../step/open-agent.js';

afterAll(closeIdleReaper);

it('a step that waits for a slot of the pool says so, and its wait is no work', async () => {
  const { provider, workingDir } = openAgent({ pool: { maxProcesses: 1, sessionsPerProcess: 1 } });
  const first = runBatch({ steps: [{ id: 'first', prompt: 'hang', workingDir }] }, { provider });
  for await (const event of first) {
    if (event.type === 'step-progress' && event.event.type === 'user-input') break;
  }
  const steps = [{ id: 'second', prompt: 'say hello', workingDir }];
  const second = runBatch({ steps }, { provider });
  const seen: string[] = [];
  for await (const event of second) {
    if (event.type === 'step-waiting') {
      expect(event).toEqual({ type: 'step-waiting', stepId: 'second', waitsFor: 'slot' });
      setTimeout(() => first.cancel(), 300);
    }
    seen.push(event.type === 'step-progress' ? event.event.type : event.type);
  }
  expect(seen.slice(0, 5)).toEqual([
    'batch-started',
    'step-started',
    'session-status',
    'step-waiting',
    'session-init',
  ]);
  const [step] = (await second).steps;
  const [attempt] = step?.attempts ?? [];
  expect(step?.state).toBe('succeeded');
  expect(attempt?.waitedMs).toBeGreaterThanOrEqual(250);
  expect(step?.waitMs).toBe(attempt?.waitedMs);
  expect(step?.warnings).toEqual([]);
  expect((await first).steps[0]?.attempts[0]?.waitedMs).toBe(undefined);
});
