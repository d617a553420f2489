import { describe, expect, it } from 'vitest';
import { describeRetry } from '../../../src/agents/gemini/describe-retry.js';

const notice = {
  attempt: 2,
  text: 'Attempt 2 failed with 429\nmore words',
  delayMs: 500,
  httpStatus: 429,
};

describe('a retry of the CLI', () => {
  it('becomes an event with the first line of the notice', () => {
    expect(describeRetry(notice, undefined)).toEqual({
      event: {
        type: 'session-status',
        status: 'retrying',
        message: 'Attempt 2 failed with 429',
        attempt: 2,
        delayMs: 500,
        httpStatus: 429,
      },
      stopReason: undefined,
    });
  });

  it('is no retry after the last attempt', () => {
    expect(describeRetry(notice, 2).event.status).toBe('error');
    expect(describeRetry(notice, 3).event.status).toBe('retrying');
    const last = { ...notice, text: 'Attempt 10 failed with 503. Max attempts reached' };
    expect(describeRetry(last, undefined).event.status).toBe('warning');
  });

  it.each([
    [3, undefined],
    [2, { kind: 'attempts', attempts: 2, text: notice.text, httpStatus: 429, delayMs: 500 }],
    [1, { kind: 'attempts', attempts: 2, text: notice.text, httpStatus: 429, delayMs: 500 }],
  ])(
    'stops the turn at a limit of %i attempts only if the limit is reached',
    (maxAttempts, stopReason) => {
      expect(describeRetry(notice, maxAttempts).stopReason).toEqual(stopReason);
    },
  );
});
