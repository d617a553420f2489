import { expect, it } from 'vitest';
import { parseDuration, renderDuration, toSeconds } from '../../../src/base/text/parse-duration.js';

it.each([
  ['500ms', 0.5],
  ['90s', 90],
  ['5m', 300],
  ['1h30m', 5_400],
  ['1d2h3m4s5ms', 93_784.005],
  ['1.5h', 5_400],
  [' 2m ', 120],
  ['600', 600],
  ['0.1', 0.1],
])('the duration %j is %d seconds', (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds);
});

it.each(['', 'm', '5 min', '5M', '1m1h', '1m1m', '-5s', '1e3', '5.s', '.', 'NaN', '9'.repeat(65)])(
  '%j is no duration',
  (text) => {
    expect(parseDuration(text)).toBeUndefined();
  },
);

it('a duration is rendered with the largest units', () => {
  expect([0, 0.5, 90, 5_400, 600_000].map(renderDuration)).toEqual([
    '0s',
    '500ms',
    '1m30s',
    '1h30m',
    '6d22h40m',
  ]);
});

it('a duration from code may be a number, a text or absent', () => {
  expect([5, '5m', undefined].map(toSeconds)).toEqual([5, 300, undefined]);
});
