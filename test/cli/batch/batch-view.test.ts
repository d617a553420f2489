import { hostname } from 'node:os';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { PlanFacts } from '../../../src/cli/batch/batch-progress.js';
import { BatchView } from '../../../src/cli/batch/batch-view.js';
import { createOutput } from '../../../src/cli/output/output.js';
import { beTerminal } from '../../fixtures/cli/terminal.js';

/** Opens a view on stderr. `take` returns what was written since the last call. */
function open(isTerminal: boolean, plan: PlanFacts = {}) {
  beTerminal({ stdout: isTerminal, stderr: isTerminal });
  vi.useFakeTimers({ now: new Date(2026, 4, 5, 12, 3, 44) });
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => {
    write.mockRestore();
    vi.useRealTimers();
  });
  const take = () => {
    const text = write.mock.calls.map(([chunk]) => String(chunk)).join('');
    write.mockClear();
    return text;
  };
  const view = new BatchView(createOutput({ NO_COLOR: '1' }).stderr, plan);
  view.accept({ type: 'batch-started', name: 'n', planHash: 'h', steps: ['a'], isFresh: true });
  return { view, take };
}
const start = { type: 'step-started', stepId: 'a', attempt: 1, lane: 0 } as const;

function setColumns(columns: number): void {
  const before = process.stderr.columns;
  onTestFinished(() => {
    process.stderr.columns = before;
  });
  process.stderr.columns = columns;
}

it('the view is redrawn on a terminal, moves down for a line, and is cleared at the end', () => {
  const { view, take } = open(true);
  expect(take()).toBe('Batch n: 1 step\n');
  view.accept(start);
  expect(take()).toBe('');
  vi.advanceTimersByTime(100);
  expect(take()).toMatch(/^→ a .*\n.*0\/1 · .*\n$/);
  vi.advanceTimersByTime(100);
  const clear = '\u001b[1A\u001b[2K\u001b[1A\u001b[2K\r';
  const frame = take();
  expect(frame.startsWith(`${clear}→ a `)).toBe(true);
  view.accept({ type: 'concurrency', limit: 2 });
  expect(take()).toBe(frame.replace(clear, `${clear}Concurrency is now 2\n`));
  view.stop();
  vi.advanceTimersByTime(1_000);
  expect(take()).toBe(clear);
});

it('the view clears the rows into which a narrower terminal has wrapped its lines', () => {
  setColumns(100);
  const { view, take } = open(true);
  view.accept(start);
  vi.advanceTimersByTime(100);
  const [, total = ''] = take().split('\n').slice(-3);
  setColumns(20);
  view.stop();
  const rows = 1 + Math.ceil(total.length / 20);
  expect(take()).toBe(`${'\u001b[1A\u001b[2K'.repeat(rows)}\r`);
});

it('a terminal gets a line for a step that runs again, with the reason', () => {
  const { view, take } = open(true);
  take();
  view.accept({ ...start, attempt: 2, reason: 'prompt' });
  expect(take()).toBe('→ a again: prompt changed\n');
  view.accept({ ...start, attempt: 3, reason: 'retry' });
  expect(take()).toBe('');
  view.stop();
});

it('a log gets time and count in each line', () => {
  const { view, take } = open(false);
  view.accept(start);
  view.accept({ type: 'stopping', stop: { reason: 'interrupted', message: 'Enough' } });
  expect(take()).toBe(
    '12:03:44 [0/1] Batch n: 1 step\n12:03:44 [0/1] → a\n12:03:44 [0/1] Stopping: Enough\n',
  );
  view.stop();
  expect(take()).toBe('');
});

it('a log of a watched batch has the times of its events', () => {
  const { view, take } = open(false);
  take();
  view.accept(start, Date.now() - 61_000);
  expect(take()).toBe('12:02:43 [0/1] → a\n');
  view.stop();
});

it('a log begins with the process of the batch and the command that asks for it', () => {
  const { view, take } = open(false, { statusCommand: 'batch status out', concurrency: 4 });
  expect(take()).toBe(
    `12:03:44 [0/1] Batch n: 1 step\n12:03:44 [0/1] 4 at a time, process ${process.pid} on ${hostname()} · status: batch status out\n`,
  );
  view.stop();
  const terminal = open(true, { statusCommand: 'batch status out' });
  expect(terminal.take()).not.toContain('batch status');
  terminal.view.stop();
});

it('a log has no count before the steps are known', () => {
  beTerminal({ stdout: false, stderr: false });
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const view = new BatchView(createOutput({}).stderr);
  const warning = { code: 'LEASE_WAIT', message: 'Waits', steps: [] } as const;
  view.accept({ type: 'warning', warning });
  view.stop();
  const text = write.mock.calls.map(([chunk]) => String(chunk)).join('');
  write.mockRestore();
  expect(text).toMatch(/^\d\d:\d\d:\d\d Warning: Waits\n$/);
});

it('a log gets a line after each minute in which nothing else was printed', () => {
  const { view, take } = open(false);
  vi.advanceTimersByTime(60_000);
  expect(take()).toBe('12:03:44 [0/1] Batch n: 1 step\n');
  vi.advanceTimersByTime(30_000);
  view.accept(start);
  take();
  vi.advanceTimersByTime(59_000);
  expect(take()).toBe('');
  vi.advanceTimersByTime(1_000);
  expect(take()).toBe('12:06:14 [0/1] … at work: a (starting, 1 min 0 s)\n');
  vi.advanceTimersByTime(60_000);
  expect(take()).toContain('a (starting, 2 min 0 s)');
  view.stop();
  vi.advanceTimersByTime(200_000);
  expect(take()).toBe('');
});

it('after Ctrl-Z and fg, the view is drawn below what the shell has written', () => {
  const { view, take } = open(true);
  view.accept(start);
  vi.advanceTimersByTime(100);
  take();
  process.emit('SIGCONT');
  vi.advanceTimersByTime(100);
  const drawn = take();
  expect(drawn).toContain('→ a');
  // Nothing above is removed.
  expect(drawn).not.toContain('\u001b[1A');
  const listeners = process.listenerCount('SIGCONT');
  view.stop();
  expect(process.listenerCount('SIGCONT')).toBe(listeners - 1);
});
