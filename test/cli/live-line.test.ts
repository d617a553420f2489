import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LiveLine } from '../../src/cli/live-line.js';
import { createOutput } from '../../src/cli/output.js';
import { beTerminal } from '../fixtures/cli/terminal.js';

const CLEAR = '\r\u001b[2K';
const { stderr } = createOutput({ NO_COLOR: '1' });
let written: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  written = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    written.push(String(chunk));
    return true;
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('the live line', () => {
  it('moves on a terminal, counts characters, and is cleared before an event line', () => {
    beTerminal({ stdout: true, stderr: true });
    const line = new LiveLine(stderr, true);
    vi.advanceTimersByTime(100);
    line.show({ type: 'text-delta', text: '12345', textKind: 'text' });
    vi.advanceTimersByTime(100);
    line.show({ type: 'session-status', status: 'warning', message: 'mind this' });
    line.stop();
    vi.advanceTimersByTime(1000);
    expect(written).toEqual([
      `${CLEAR}⠋ 0.1 s`,
      `${CLEAR}⠙ 0.2 s · 5 characters`,
      `${CLEAR}! mind this\n`,
      CLEAR,
    ]);
  });

  it.each([
    ['without a terminal', false, true],
    ['if it is not wanted', true, false],
  ])('does not move %s: only event lines are printed', (_where, isTTY, isWanted) => {
    beTerminal({ stdout: true, stderr: isTTY });
    const line = new LiveLine(stderr, isWanted);
    vi.advanceTimersByTime(1000);
    line.show({ type: 'session-init', sessionId: 's' });
    line.show({ type: 'text-delta', text: 'x', textKind: 'text' });
    line.stop();
    expect(written).toEqual(['Session s\n']);
    expect(vi.getTimerCount()).toBe(0);
  });
});
