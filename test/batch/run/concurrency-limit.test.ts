import { expect, it } from 'vitest';
import { ConcurrencyLimit } from '../../../src/batch/run/concurrency-limit.js';

it('gives the lowest free lane, and no more lanes than there are', () => {
  const admission = new ConcurrencyLimit(2);
  expect([admission.start(), admission.start()]).toEqual([0, 1]);
  expect(admission.mayStart(0)).toBe(false);
  admission.end(0);
  expect(admission.start()).toBe(0);
});

it('halves once for steps that were under way together, and never below one', () => {
  const admission = new ConcurrencyLimit(8);
  expect(admission.rateLimited(0, 100)).toBe(true);
  expect(admission.rateLimited(50, 110)).toBe(false);
  expect(admission.limit).toBe(4);
  for (const at of [200, 300, 400, 500]) admission.rateLimited(at, at);
  expect(admission.limit).toBe(1);
});

it('grows by one after twice as many successes as may run, up to where it began', () => {
  const admission = new ConcurrencyLimit(3);
  admission.rateLimited(0, 1);
  expect(admission.limit).toBe(1);
  const grown = Array.from({ length: 8 }, () => admission.succeeded());
  expect(grown).toEqual([false, true, false, false, false, true, false, false]);
  expect(admission.limit).toBe(3);
});

it('counts successes anew after a complaint', () => {
  const admission = new ConcurrencyLimit(2);
  admission.rateLimited(0, 1);
  admission.succeeded();
  admission.rateLimited(2, 3);
  expect([admission.succeeded(), admission.succeeded()]).toEqual([false, true]);
});

it('starts nothing in a pause, and takes the latest time that was named', () => {
  const admission = new ConcurrencyLimit(1);
  expect(admission.pauseUntil(100)).toBe(true);
  expect(admission.pauseUntil(50)).toBe(false);
  expect([admission.mayStart(99), admission.mayStart(100)]).toEqual([false, true]);
});
