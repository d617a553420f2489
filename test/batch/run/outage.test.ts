import { expect, it } from 'vitest';
import type { ErrorCode } from '../../../src/api/error.js';
import { Outage } from '../../../src/batch/run/outage.js';

/** Fails so many attempts of different steps, one after another. Returns what the last one gave. */
function fail(outage: Outage, count: number, fromMs = 0) {
  let last: ReturnType<Outage['failed']>;
  for (let n = 0; n < count; n++)
    last = failOne(outage, `s${n % 4}`, 'NETWORK', fromMs + n, fromMs + n);
  return last;
}

function failOne(
  outage: Outage,
  stepId: string,
  code: ErrorCode,
  startedMs: number,
  nowMs: number,
  isLast = false,
) {
  return outage.failed({ stepId, code, startedMs, isLast }, nowMs);
}

it('an outage is noticed after failures of several steps in a row, with growing pauses', () => {
  const outage = new Outage();
  outage.answered();
  expect([fail(outage, 5), outage.isDown]).toEqual([undefined, false]);
  expect(failOne(outage, 's5', 'API_UNAVAILABLE', 10, 10)).toEqual({
    pauseMs: 15_000,
    isFree: true,
    // The outage was not known yet when these attempts failed.
    earlier: new Map([
      ['s0', 2],
      ['s1', 1],
      ['s2', 1],
      ['s3', 1],
    ]),
  });
  // This attempt began before the pause.
  expect(failOne(outage, 's6', 'NETWORK', 9, 20)).toEqual({ pauseMs: 0, isFree: true });
  const pauses = Array.from({ length: 6 }, (_, n) => {
    return failOne(outage, 's5', 'NETWORK', 100 + n, 100 + n)?.pauseMs;
  });
  expect(pauses).toEqual([30_000, 60_000, 120_000, 240_000, 300_000, 300_000]);
});

it('an outage ends with the first answer, and after about two hours costs retries again', () => {
  const outage = new Outage();
  outage.answered();
  fail(outage, 6);
  // A limit of time says nothing about the API.
  failOne(outage, 's0', 'TIMEOUT', 50, 50);
  expect(outage.isDown).toBe(true);
  failOne(outage, 's0', 'API_REQUEST', 60, 60);
  expect([outage.isDown, fail(outage, 5, 100)]).toEqual([false, undefined]);
  expect(fail(outage, 26, 200)?.isFree).toBe(true);
  expect(fail(outage, 1, 300)?.isFree).toBe(false);
});

it('one step that fails again and again is no outage, nor is an API that has never answered', () => {
  const outage = new Outage();
  expect(fail(outage, 50)).toBeUndefined();
  outage.answered();
  for (let n = 0; n < 50; n++) expect(failOne(outage, 's', 'NETWORK', n, n)).toBeUndefined();
});

it('an outage is noticed earlier when a step would fail for good, if another one fails as well', () => {
  const outage = new Outage();
  outage.answered();
  const last = (step: string, nowMs: number) =>
    failOne(outage, step, 'NETWORK', nowMs, nowMs, true);
  expect(last('s0', 1)).toBeUndefined();
  expect(last('s1', 2)).toMatchObject({ pauseMs: 15_000, isFree: true });
});
