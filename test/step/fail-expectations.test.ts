import { describe, expect, it } from 'vitest';
import type { MissingExpectation } from '../../src/api/expectations.js';
import { failExpectations } from '../../src/step/fail-expectations.js';

const missing = (...messages: string[]): MissingExpectation[] => {
  return messages.map((message) => ({ kind: 'files', message }));
};

describe('a run that lacks what was expected', () => {
  it('names the first of it, and carries all', () => {
    const all = missing('a', 'b', 'c', 'd', 'e');
    expect(failExpectations(all, { repairs: 0, repair: 0, canContinue: true })).toEqual({
      ok: false,
      code: 'EXPECTATION_FAILED',
      message: 'Not as expected: a; b; c; and 2 more',
      missing: all,
    });
  });

  it('tells how often it was mended in vain', () => {
    const message = (repairs: number) => {
      return failExpectations(missing('a'), { repairs, repair: repairs, canContinue: false })
        .message;
    };
    expect(message(1)).toBe('Not as expected after 1 repair: a');
    expect(message(2)).toBe('Not as expected after 2 repairs: a');
  });

  it('tells that it could not be mended, where the session is lost', () => {
    const failure = failExpectations(missing('a'), { repairs: 1, repair: 3, canContinue: false });
    expect(failure.hint).toContain('could not be mended');
  });
});
