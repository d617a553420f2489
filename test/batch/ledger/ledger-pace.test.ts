import { expect, it } from 'vitest';
import { LedgerPace } from '../../../src/batch/ledger/ledger-pace.js';

const at = '2026-01-01T00:00:00.000Z';
const pausedUntil = '2026-01-01T00:05:00.000Z';

it('the pace of a batch has a limit only while a rate limit makes it smaller', () => {
  const pace = new LedgerPace();
  pace.accept({ type: 'pace', at, limit: 4, most: 4, pausedUntil, cause: 'outage' });
  expect(pace).toMatchObject({ limit: undefined, pausedUntil, cause: 'outage' });
  pace.accept({ type: 'pace', at, limit: 2, most: 4 });
  expect(pace).toMatchObject({ limit: 2, pausedUntil });
  pace.accept({ type: 'pace', at, limit: 4, most: 4 });
  expect(pace.limit).toBeUndefined();
});

it('a step waits for its retry until the attempt starts, or another run begins', () => {
  const pace = new LedgerPace();
  const retry = { type: 'retry', at, delayMs: 1_000 } as const;
  for (const step of ['a', 'b']) pace.accept({ ...retry, step });
  expect(pace.retries.get('a')?.untilMs).toBe(Date.parse(at) + 1_000);
  const start = {
    type: 'start',
    at,
    step: 'a',
    attempt: 2,
    lane: 0,
    key: 'k',
    prompt: 'p',
  } as const;
  pace.accept(start);
  expect([...pace.retries.keys()]).toEqual(['b']);
  pace.accept({ type: 'plan', at, name: 'n', planHash: 'h', steps: [] });
  expect(pace.retries.size).toBe(0);
});
