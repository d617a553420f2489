import { expect, it } from 'vitest';
import {
  formatClock,
  formatCountdown,
  formatSeconds,
  formatThousands,
} from '../../../src/cli/output/format-numbers.js';

it.each([
  [-5, '0.0 s'],
  [0, '0.0 s'],
  [59_949, '59.9 s'],
  [59_960, '1 min 0 s'],
  [119_700, '2 min 0 s'],
  [3_599_400, '59 min 59 s'],
  [3_600_000, '1 h 0 min'],
  [7_530_000, '2 h 6 min'],
])('formatSeconds shows %i ms as %s', (ms, text) => {
  expect(formatSeconds(ms)).toBe(text);
});

it.each([
  [-1, '0 s'],
  [1200, '2 s'],
  [59_500, '1 min 0 s'],
])('formatCountdown shows %i ms that are left as %s', (ms, text) => {
  expect(formatCountdown(ms)).toBe(text);
});

it('formatThousands separates thousands, and formatClock shows the time of day', () => {
  expect(formatThousands(1_234_567)).toBe('1,234,567');
  expect(formatClock(new Date(2026, 0, 2, 3, 4, 5).getTime())).toBe('03:04:05');
});
