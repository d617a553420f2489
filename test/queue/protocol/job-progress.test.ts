import { describe, expect, it } from 'vitest';
import { beginAttempt, parseProgress } from '../../../src/queue/protocol/job-progress.js';

const NOW = { worker: 'w1', host: 'h1', startedAtMs: 10, waitMs: 3 };
const NEXT = { worker: 'w2', host: 'h2', startedAtMs: 20, waitMs: 13 };

describe('beginAttempt', () => {
  it('begins with attempt 1, and nothing is lost', () => {
    expect(beginAttempt(undefined, NOW)).toEqual({
      ...NOW,
      attempt: 1,
      lost: [],
      isReturned: false,
      rateLimits: 0,
      rateLimitedMs: 0,
    });
  });

  it('counts an attempt that was not given back as lost', () => {
    const second = beginAttempt(beginAttempt(undefined, NOW), NEXT);
    expect(second).toMatchObject({ ...NEXT, attempt: 2 });
    expect(second.lost).toEqual([{ attempt: 1, worker: 'w1', host: 'h1' }]);
    expect(beginAttempt(second, NOW).lost.map(({ worker }) => worker)).toEqual(['w1', 'w2']);
  });

  it('does not count an attempt that the worker has given back, and keeps the pauses', () => {
    const first = { ...beginAttempt(undefined, NOW), isReturned: true, rateLimits: 2 };
    const second = beginAttempt(first, NEXT);
    expect(second).toMatchObject({ attempt: 2, lost: [], isReturned: false, rateLimits: 2 });
  });
});

describe('parseProgress', () => {
  it('reads what a worker has written', () => {
    const progress = beginAttempt(beginAttempt(undefined, NOW), NEXT);
    expect(parseProgress(JSON.parse(JSON.stringify(progress)))).toEqual(progress);
  });

  it.each([undefined, null, 0, 50, {}, { ...beginAttempt(undefined, NOW), attempt: 0 }])(
    'is undefined for %j',
    (value) => {
      expect(parseProgress(value)).toBe(undefined);
    },
  );
});
