import { expect, it, onTestFinished, vi } from 'vitest';
import { widthOf } from '../../../src/cli/output/fit-width.js';
import { PLAIN, type Printer } from '../../../src/cli/output/output.js';
import { toAllowed } from '../../../src/cli/worker/work-on-queue.js';
import { serveHealth, toHealthAddress } from '../../../src/cli/worker/worker-health.js';
import { describeWorkerEvent } from '../../../src/cli/worker/worker-lines.js';
import { WorkerMetrics } from '../../../src/cli/worker/worker-metrics.js';
import { renderWorker, WorkerView } from '../../../src/cli/worker/worker-view.js';
import type { WorkerInfo } from '../../../src/queue/job-info.js';
import type { StepWorkerEvent } from '../../../src/queue/worker/step-worker-event.js';
import { READY } from './ready-event.js';

const ready: StepWorkerEvent = { ...READY, worker: 'w"1' };
const info: WorkerInfo = {
  id: 'i',
  name: 'w"1',
  host: 'h',
  pid: 1,
  labels: [],
  concurrency: 2,
  running: 1,
  succeeded: 0,
  failed: 0,
  state: 'ready',
  version: '0.2.0',
  protocol: '1.0',
  startedAt: new Date(0).toISOString(),
};
const finished = (outcome: 'succeeded' | 'failed' | 'lost' | 'returned'): StepWorkerEvent => {
  const event = { type: 'job-finished', jobId: 'abcdefghijklmnop', attempt: 1 } as const;
  const failure =
    outcome === 'failed' ? { code: 'TIMEOUT' as const, message: 'Too\u001b[2J late' } : {};
  return { ...event, outcome, durationMs: 2_000, ...failure };
};

function readyMetrics(): WorkerMetrics {
  const metrics = new WorkerMetrics(0);
  metrics.stats = () => info;
  metrics.accept(ready);
  return metrics;
}

it('each event of a worker is a line without control characters', () => {
  const line = (event: StepWorkerEvent): string => describeWorkerEvent(event, PLAIN);
  expect(line(ready)).toBe(
    '● Worker w"1 takes steps from redis://h\n  queue q · 2 steps at a time · no labels · signed jobs only · approval mode up to auto_edit · commands of steps',
  );
  const prompt = `a\nb ${'x'.repeat(200)}`;
  const started = { type: 'job-started', jobId: 'abcdefghijklmnop', attempt: 2, prompt } as const;
  expect(line({ ...started, waitMs: 1_500 })).toMatch(
    /^→ abcdefghijkl a b x+… attempt 2 · after 1\.5 s in the queue$/,
  );
  expect(line(finished('succeeded'))).toBe('✓ abcdefghijkl 2.0 s');
  expect(describeWorkerEvent(finished('succeeded'), PLAIN, 'make\na')).toBe(
    '✓ abcdefghijkl make a 2.0 s',
  );
  const stopped = { type: 'admission-stopped', code: 'UNKNOWN', message: 'ENOSPC' } as const;
  expect(line(stopped)).toContain('start the worker again');
  expect(line({ ...stopped, code: 'INVALID_CONFIG' })).toContain(
    'takes no steps until there is one with its own secret: ENOSPC. Give callers and workers',
  );
  expect(line({ ...stopped, until: '2026-01-01T00:00:00.000Z' })).toMatch(
    /takes no steps until .*: ENOSPC/,
  );
  expect(line(finished('failed'))).toBe('✗ abcdefghijkl TIMEOUT Too late 2.0 s');
  expect(line(finished('lost'))).toContain('was taken from this worker');
  expect(line(finished('returned'))).toContain('is back on the queue');
  const lost = { type: 'store-connection', isConnected: false, message: 'ECONNREFUSED' } as const;
  expect(line(lost)).toBe(
    'No connection to the store: ECONNREFUSED. Running steps end if it is not there before their locks are over',
  );
  expect(line({ type: 'draining', running: 2 })).toContain('waits for 2 running steps');
});

it('rows of the live view fit the terminal, and the last one has the totals', () => {
  const jobs = Array.from({ length: 5 }, (_, index) => {
    return { id: `job-${index}`, prompt: 'p'.repeat(300), attempt: index, sinceMs: 0 };
  });
  for (const columns of [20, 40, 80, 120]) {
    const lines = renderWorker(jobs, readyMetrics(), 3_000, { columns, rows: 4, paint: PLAIN });
    expect(lines).toHaveLength(4);
    for (const text of lines) expect(widthOf(text)).toBeLessThan(columns);
    expect(lines[2]).toBe('  and 3 more');
    expect(lines[3]).toMatch(/^w"1/);
  }
});

it('metrics count outcomes, codes, reconnects and tokens in the format of Prometheus', () => {
  const metrics = readyMetrics();
  for (const outcome of ['succeeded', 'failed', 'succeeded'] as const)
    metrics.accept(finished(outcome));
  metrics.accept({ type: 'store-connection', isConnected: false, message: '' });
  expect(metrics.whyNotReady()).toBe('The store is not reachable');
  metrics.accept({ type: 'store-connection', isConnected: true, message: '' });
  const usage = {
    total: 11,
    input: 8,
    output: 3,
    cached: 0,
    thoughts: 0,
    tool: 0,
    models: {},
    toolCalls: 0,
  };
  metrics.countTokens({ type: 'turn-complete', subtype: 'success', isError: false, usage });
  const text = metrics.render(3);
  const prefix = 'gemini_cli_provider_worker';
  for (const line of [
    `${prefix}_steps_total{outcome="succeeded"} 2`,
    `${prefix}_steps_total{outcome="lost"} 0`,
    `${prefix}_errors_total{code="TIMEOUT"} 1`,
    `${prefix}_running 1`,
    `${prefix}_waiting 3`,
    `${prefix}_ready 1`,
    `${prefix}_reconnects_total 1`,
    `${prefix}_step_seconds_bucket{le="1"} 0`,
    `${prefix}_step_seconds_bucket{le="2.5"} 3`,
    `${prefix}_step_seconds_count 3`,
  ]) {
    expect(text.split('\n')).toContain(line);
  }
  expect(text).toMatch(/build_info\{version="0\.2\.0",.*worker="w\\"1"\} 1/);
  expect(text).toMatch(/_tokens_total\{kind="input"\} 8/);
  // Every sample has a name with a type, and a number.
  for (const line of text.trim().split('\n')) {
    expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{.*\})? -?[\d.]+(e[+-]\d+)?)$/);
  }
  expect(metrics.render(undefined)).not.toContain('_waiting');
});

it('the health endpoint tells live, ready and why not', async () => {
  const metrics = new WorkerMetrics();
  const hang = (): Promise<number> => new Promise(() => {});
  const address = toHealthAddress('0');
  const health = await serveHealth({ address, metrics, countWaiting: hang });
  const ask = async (path: string, method = 'GET') => {
    const answer = await fetch(`http://127.0.0.1:${health.port}${path}`, { method });
    return { status: answer.status, text: await answer.text() };
  };
  expect((await ask('/live')).status).toBe(200);
  expect(await ask('/ready')).toMatchObject({
    status: 503,
    text: expect.stringContaining('starting'),
  });
  metrics.stats = () => info;
  metrics.accept(ready);
  expect((await ask('/ready')).status).toBe(200);
  metrics.stats = () => ({ ...info, state: 'draining' });
  expect(await ask('/ready')).toMatchObject({
    status: 503,
    text: expect.stringContaining('draining'),
  });
  expect(await ask('/metrics')).toMatchObject({
    status: 200,
    text: expect.stringContaining('_ready 0'),
  });
  expect((await ask('/')).status).toBe(404);
  expect((await ask('/live', 'POST')).status).toBe(405);
  const second = serveHealth({
    address: { host: '127.0.0.1', port: health.port },
    metrics,
    countWaiting: hang,
  });
  await expect(second).rejects.toMatchObject({ code: 'INVALID_CONFIG', message: /cannot listen/ });
  await health.close();
});

it('the address of the health endpoint is a port on loopback, or a host with a port', () => {
  expect(toHealthAddress('9090')).toEqual({ host: '127.0.0.1', port: 9090 });
  expect(toHealthAddress('0.0.0.0:80')).toEqual({ host: '0.0.0.0', port: 80 });
  expect(toHealthAddress('[::1]:80')).toEqual({ host: '::1', port: 80 });
  for (const wrong of ['', 'x', '70000', 'a:b'])
    expect(() => toHealthAddress(wrong)).toThrow('PORT');
});

it('the configuration of the worker is the ceiling for steps', () => {
  expect(toAllowed({}, {})).toEqual({});
  const config = { approvalMode: 'yolo', allowedTools: ['write_file'], allowRedirection: true };
  expect(toAllowed({ commands: false }, config)).toEqual({
    approvalMode: 'yolo',
    allowedTools: ['write_file'],
    weakerProtection: true,
    commands: false,
  });
});

/** Creates a printer that keeps what was written to it. */
function keepingPrinter(terminal: Printer['terminal']) {
  const written: string[] = [];
  const write = async (text: string): Promise<void> => void written.push(text);
  const printer: Printer = { paint: PLAIN, terminal, write, writeExact: write };
  return { printer, text: () => written.join('') };
}

it('a pipe gets a line for each event, and nothing is drawn', () => {
  const { printer, text } = keepingPrinter(undefined);
  const view = new WorkerView(printer, readyMetrics());
  view.accept({ type: 'job-started', jobId: 'j', attempt: 1, prompt: 'make a', waitMs: 0 }, 0);
  view.accept(
    { type: 'job-finished', jobId: 'j', attempt: 1, outcome: 'succeeded', durationMs: 2_000 },
    0,
  );
  view.note('Ends', 0);
  view.stop();
  expect(text().trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^\d\d:\d\d:\d\d → j make a/),
    expect.stringMatching(/✓ j make a 2\.0 s$/),
    expect.stringMatching(/ Ends$/),
  ]);
});

it('a terminal shows running steps as rows, and their ends and further attempts as lines', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { printer, text } = keepingPrinter({ columns: 80, rows: 20 });
  const view = new WorkerView(printer, readyMetrics());
  const started = { type: 'job-started', jobId: 'j', prompt: 'make a', waitMs: 0 } as const;
  view.accept({ ...started, attempt: 1 });
  expect(text()).toBe('');
  vi.advanceTimersByTime(200);
  expect(text()).toMatch(/→ j make a · .*\nw"1 · 1\/2 running/);
  view.accept({ ...started, attempt: 2 });
  expect(text()).toContain('attempt 2');
  view.stop();
  const before = text();
  vi.advanceTimersByTime(1_000);
  expect(text()).toBe(before);
});

it('a step that does not fit beside its time is shown by its id, and a low terminal has the totals alone', () => {
  const jobs = [{ id: 'abcdefghijklmnop', prompt: 'p', attempt: 2, sinceMs: 0 }];
  const size = { columns: 24, rows: 2, paint: PLAIN };
  const [row = '', totals] = renderWorker(jobs, readyMetrics(), 1_000, size);
  expect(row).toMatch(/^→ ab/);
  expect(widthOf(row)).toBeLessThan(24);
  expect(totals).toMatch(/^w"1/);
  expect(renderWorker(jobs, readyMetrics(), 1_000, { ...size, rows: 1 })).toHaveLength(1);
});
