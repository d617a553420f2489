import { expect, it } from 'vitest';
import { WorkerMetrics } from '../../../src/cli/worker/worker-metrics.js';
import type { WorkerInfo } from '../../../src/queue/job-info.js';
import type { JobFinishedEvent } from '../../../src/queue/worker/step-worker-event.js';
import { READY } from './ready-event.js';

const info: WorkerInfo = {
  id: 'i',
  name: 'w\u001b[31m1',
  host: 'h',
  pid: 1,
  labels: [],
  concurrency: 4,
  running: 2,
  succeeded: 0,
  failed: 0,
  state: 'ready',
  version: '0.2.0',
  protocol: '1.0',
  startedAt: new Date(0).toISOString(),
};

/** Creates metrics of a worker that is connected, in the given state. */
function metricsOf(more: Partial<WorkerInfo> = {}): WorkerMetrics {
  const metrics = new WorkerMetrics(0);
  metrics.stats = () => ({ ...info, ...more });
  metrics.accept({ ...READY, worker: 'w' });
  return metrics;
}

function end(metrics: WorkerMetrics, outcome: JobFinishedEvent['outcome']): void {
  const code = outcome === 'failed' ? ('TIMEOUT' as const) : undefined;
  metrics.accept({ type: 'job-finished', jobId: 'j', attempt: 1, outcome, durationMs: 1, code });
}

it('say why a worker takes no steps', () => {
  expect(new WorkerMetrics(0).whyNotReady()).toBe('The worker is starting');
  expect(metricsOf().whyNotReady()).toBeUndefined();
  expect(metricsOf({ state: 'draining' }).whyNotReady()).toBe('The worker is draining');
  expect(metricsOf({ state: 'stopped' }).whyNotReady()).toBe('stopped');
  expect(metricsOf({ state: 'stopped', reason: 'AUTH' }).whyNotReady()).toBe('AUTH');
});

it('describe only what has happened', () => {
  const metrics = metricsOf();
  expect(metrics.describe(60_000)).toEqual([
    'w1',
    '2/4 running',
    '0 succeeded',
    '0 tokens',
    'up 1 min 0 s',
  ]);
  for (const outcome of ['succeeded', 'failed', 'lost', 'returned', 'returned'] as const)
    end(metrics, outcome);
  const until = new Date(90_000).toISOString();
  metrics.accept({ type: 'queue-paused', code: 'RATE_LIMITED', message: '429', until });
  expect(metrics.describe(60_000).slice(1, -2)).toEqual([
    '2/4 running',
    '1 succeeded',
    '1 failed',
    'queue paused, 30.0 s',
    '1 lost',
    '2 handed back',
  ]);
  expect(metrics.describe(90_001).join()).not.toContain('paused');
  expect(metrics.handedBack).toBe(2);
});

it('a step that went back after a rate limit was not handed back by a worker that ends', () => {
  const metrics = metricsOf();
  const returned = { type: 'job-finished', jobId: 'j', attempt: 1, outcome: 'returned' } as const;
  metrics.accept({ ...returned, durationMs: 1, code: 'RATE_LIMITED', message: '429' });
  expect(metrics.handedBack).toBe(0);
});

it('are complete before the worker is there, and after an attempt without usage', () => {
  const metrics = new WorkerMetrics(5_000);
  expect(metrics.describe(6_000).slice(0, 3)).toEqual([
    'worker',
    'The worker is starting',
    '0/0 running',
  ]);
  metrics.countTokens({ type: 'turn-complete', subtype: 'success', isError: false });
  metrics.countTokens({ type: 'session-status', status: 'waiting', message: '' });
  const lines = metrics.render(undefined).split('\n');
  const prefix = 'gemini_cli_provider_worker';
  for (const line of ['running 0', 'ready 0', 'store_connected 0', 'start_time_seconds 5'])
    expect(lines).toContain(`${prefix}_${line}`);
  expect(lines).toContain(`${prefix}_tokens_total{kind="input"} 0`);
});

it('count a store that comes back once, and the time in the queue', () => {
  const metrics = metricsOf();
  for (const isConnected of [true, false, false, true, true])
    metrics.accept({ type: 'store-connection', isConnected, message: '' });
  metrics.accept({ type: 'job-started', jobId: 'j', attempt: 1, prompt: 'p', waitMs: 2_000 });
  const lines = metrics.render(0).split('\n');
  const prefix = 'gemini_cli_provider_worker';
  expect(lines).toContain(`${prefix}_reconnects_total 1`);
  expect(lines).toContain(`${prefix}_queue_seconds_bucket{le="1"} 0`);
  expect(lines).toContain(`${prefix}_queue_seconds_bucket{le="2.5"} 1`);
  expect(lines).toContain(`${prefix}_waiting 0`);
});
