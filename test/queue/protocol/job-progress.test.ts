import { describe, expect, it } from 'vitest';
import { beginAttempt, parseProgress } from '../../../src/queue/protocol/job-progress.js';

const NOW = { worker: 'w1', host: 'h1', startedAtMs: 10, createdAtMs: 7 };
const NEXT = { worker: 'w2', host: 'h2', startedAtMs: 20, createdAtMs: 7 };
const { createdAtMs: _first, ...FIRST } = NOW;
const { createdAtMs: _second, ...SECOND } = NEXT;

it('parseProgress cleans the names, which are not signed', () => {
  const progress = beginAttempt(undefined, { ...NOW, worker: '\u001b[2Jw\n', host: 'h\0' });
  const lost = [{ attempt: 1, worker: '\u0007v', host: 'x'.repeat(9_999) }];
  const parsed = parseProgress({ ...progress, lost });
  expect(parsed).toMatchObject({ worker: 'w', host: 'h', lost: [{ worker: 'v' }] });
  expect(parsed?.lost[0]?.host.length).toBeLessThan(200);
});

describe('beginAttempt', () => {
  it('begins with attempt 1, and nothing is lost', () => {
    expect(beginAttempt(undefined, NOW)).toEqual({
      ...FIRST,
      waitMs: 3,
      attempt: 1,
      lost: [],
      rateLimits: 0,
      rateLimitedMs: 0,
    });
  });

  it('counts an attempt without an end as lost, and its time as no time in the queue', () => {
    const second = beginAttempt(beginAttempt(undefined, NOW), NEXT);
    expect(second).toMatchObject({ ...SECOND, attempt: 2, waitMs: 3 });
    expect(second.lost).toEqual([{ attempt: 1, worker: 'w1', host: 'h1' }]);
    expect(beginAttempt(second, NOW).lost.map(({ worker }) => worker)).toEqual(['w1', 'w2']);
  });

  it.each(['returned', 'failed'] as const)(
    'does not count a %s attempt as lost, and keeps the pauses',
    (kind) => {
      const end = { kind, atMs: 16 };
      const second = beginAttempt({ ...beginAttempt(undefined, NOW), end, rateLimits: 2 }, NEXT);
      expect(second).toMatchObject({ attempt: 2, lost: [], rateLimits: 2, waitMs: 7 });
      expect(second).not.toHaveProperty('end');
    },
  );

  it('has no negative time in the queue when the clocks of two machines differ', () => {
    expect(beginAttempt(undefined, { ...NOW, createdAtMs: 99 }).waitMs).toBe(0);
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
