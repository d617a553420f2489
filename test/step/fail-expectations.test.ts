import { describe, expect, it } from 'vitest';
import type { MissingExpectation } from '../../src/api/expectations.js';
import { failExpectations } from '../../src/step/fail-expectations.js';

const missing = (...messages: string[]): MissingExpectation[] => {
  return messages.map((message) => ({ kind: 'files', message }));
};

describe('the failure of a step with unmet expectations', () => {
  it('names the first missing items and contains all of them', () => {
    const all = missing('a', 'b', 'c', 'd', 'e');
    expect(failExpectations(all, { repairs: 0, repair: 0 })).toEqual({
      ok: false,
      code: 'EXPECTATION_FAILED',
      message: 'Expectations failed: a; b; c; and 2 more',
      missing: all,
    });
  });

  it('names the number of repairs', () => {
    const message = (repairs: number) => {
      return failExpectations(missing('a'), {
        repairs,
        repair: repairs,
        obstacle: 'the session cannot be continued',
      }).message;
    };
    expect(message(1)).toBe('Expectations failed after 1 repair: a');
    expect(message(2)).toBe('Expectations failed after 2 repairs: a');
  });

  it('has a hint if the session cannot be continued', () => {
    const failure = failExpectations(missing('a'), {
      repairs: 1,
      repair: 3,
      obstacle: 'the session cannot be continued',
    });
    expect(failure.hint).toContain('No further repair was made');
  });
});
