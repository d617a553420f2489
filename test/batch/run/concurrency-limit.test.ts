import { expect, it } from 'vitest';
import { ConcurrencyLimit } from '../../../src/batch/run/concurrency-limit.js';

it('a concurrency limit gives the lowest free lane, and no more lanes than allowed', () => {
  const limit = new ConcurrencyLimit(2);
  expect([limit.start(), limit.start()]).toEqual([0, 1]);
  expect(limit.mayStart(0)).toBe(false);
  limit.end(0);
  expect(limit.start()).toBe(0);
});

it('a concurrency limit is halved once for steps that ran together, and never below one', () => {
  const limit = new ConcurrencyLimit(8);
  expect(limit.rateLimited(0, 100)).toBe(true);
  expect(limit.rateLimited(50, 110)).toBe(false);
  expect(limit.limit).toBe(4);
  for (const at of [200, 300, 400, 500]) limit.rateLimited(at, at);
  expect(limit.limit).toBe(1);
});

it('a concurrency limit grows by one after two successes per allowed step, up to its start value', () => {
  const limit = new ConcurrencyLimit(3);
  limit.rateLimited(0, 1);
  expect(limit.limit).toBe(1);
  const grown = Array.from({ length: 8 }, () => limit.succeeded());
  expect(grown).toEqual([false, true, false, false, false, true, false, false]);
  expect(limit.limit).toBe(3);
});

it('a concurrency limit counts successes from zero after a rate limit', () => {
  const limit = new ConcurrencyLimit(2);
  limit.rateLimited(0, 1);
  limit.succeeded();
  limit.rateLimited(2, 3);
  expect([limit.succeeded(), limit.succeeded()]).toEqual([false, true]);
});

it('a concurrency limit starts no step during a pause, and keeps the latest end of it', () => {
  const limit = new ConcurrencyLimit(1);
  expect(limit.pauseUntil(100)).toBe(true);
  expect(limit.pauseUntil(50)).toBe(false);
  expect([limit.mayStart(99), limit.mayStart(100)]).toEqual([false, true]);
});
