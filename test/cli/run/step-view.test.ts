import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createOutput } from '../../../src/cli/output/output.js';
import { StepView } from '../../../src/cli/run/step-view.js';
import { beTerminal } from '../../fixtures/cli/terminal.js';

const CLEAR = '\r\u001b[2K';
let written: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  written = [];
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation((chunk, encoding, done) => {
      written.push(name === 'stdout' ? `out: ${String(chunk)}` : String(chunk));
      const callback = typeof encoding === 'function' ? encoding : done;
      callback?.();
      return true;
    });
  }
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const delta = (text: string) => ({ type: 'text-delta', text, textKind: 'text' }) as const;
const remark = { type: 'session-status', status: 'warning', message: 'mind this' } as const;
const open = (isShared: boolean) => {
  return new StepView({ ...createOutput({ NO_COLOR: '1' }), isShared });
};

describe('a step on a terminal', () => {
  it('has its answer as it comes, lines of their own for events, and a moving line between them', async () => {
    beTerminal({ stdout: true, stderr: true });
    const view = open(true);
    vi.advanceTimersByTime(100);
    await view.show(delta('12345'));
    // The moving line would erase the line of the answer.
    vi.advanceTimersByTime(100);
    await view.show(remark);
    vi.advanceTimersByTime(100);
    await view.show(delta('6\n'));
    vi.advanceTimersByTime(100);
    await view.finish('123456\n');
    vi.advanceTimersByTime(1000);
    expect(written).toEqual([
      `${CLEAR}⠋ 0.1 s`,
      CLEAR,
      'out: 12345',
      '\n! mind this\n',
      `${CLEAR}⠙ 0.3 s · 5 characters`,
      CLEAR,
      'out: 6\n',
      `${CLEAR}⠹ 0.4 s · 7 characters`,
      CLEAR,
      'out: \n',
    ]);
  });

  it('has a moving line while the answer goes elsewhere', async () => {
    beTerminal({ stdout: false, stderr: true });
    const view = open(false);
    await view.show(delta('12345'));
    vi.advanceTimersByTime(100);
    await view.show(remark);
    await view.finish('12345');
    expect(written).toEqual([
      'out: 12345',
      `${CLEAR}⠋ 0.1 s · 5 characters`,
      CLEAR,
      '! mind this\n',
      'out: \n',
    ]);
  });
});

describe('a step without a terminal', () => {
  it.each([
    [false, '! mind this\n'],
    [true, '\n! mind this\n'],
  ])('prints nothing that moves; same file for both streams: %s', async (isShared, line) => {
    beTerminal({ stdout: false, stderr: false });
    const view = open(isShared);
    vi.advanceTimersByTime(1000);
    await view.show({ type: 'session-init', sessionId: 's' });
    await view.show(delta('x'));
    await view.show({ ...delta('thought'), textKind: 'thinking' });
    await view.show({ ...delta('of a sub-agent'), parentCallId: 'call' });
    await view.show(remark);
    await view.finish('xy');
    expect(written).toEqual(['Session s\n', 'out: x', line, 'out: y', 'out: \n']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('says that the whole text follows if the pieces were not its beginning', async () => {
    beTerminal({ stdout: false, stderr: false });
    const view = open(false);
    await view.show(delta('torn'));
    await view.finish('whole');
    expect(written.join('')).toContain('was not complete');
  });
});
