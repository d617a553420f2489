import { describe, expect, it } from 'vitest';
import {
  findRetryDelayMs,
  parseDurationMs,
} from '../../../src/agents/verdict/parse-retry-delay.js';

describe('a duration', () => {
  it.each([
    ['2s', 2_000],
    ['850ms', 850],
    ['1.5s', 1_500],
    ['2m', 120_000],
    ['1h2m3s', 3_723_000],
    ['1m0.5s', 60_500],
    ['34.074824224s', 34_075],
    ['0s', 0],
  ])('of %s is %i ms', (text, ms) => {
    expect(parseDurationMs(text)).toBe(ms);
  });

  it.each(['', 'soon', '5', 's', '12 parsecs'])('is not in "%s"', (text) => {
    expect(parseDurationMs(text)).toBeUndefined();
  });
});

describe('the delay that an API answer asks for', () => {
  const retryInfo = {
    error: {
      code: 429,
      message: 'Quota exceeded',
      details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7s' }],
    },
  };

  it.each([
    ['in words', 'Quota exceeded for quota metric. Please retry in 2.5s.', 2_500],
    ["in the CLI's words", 'Suggested retry after 2s.]\nPlease wait', 2_000],
    ['in milliseconds', 'please RETRY IN 850ms', 850],
    ['in hours', 'Please retry in 1h2m3s.', 3_723_000],
    ['as RetryInfo on one line', JSON.stringify(retryInfo), 7_000],
    ['as RetryInfo over several lines', JSON.stringify(retryInfo, null, 2), 7_000],
  ])('is found %s', (_where, message, ms) => {
    expect(findRetryDelayMs(message)).toBe(ms);
  });

  it('is the first one in the text', () => {
    expect(findRetryDelayMs('Please retry in 3s.\nSuggested retry after 9s.')).toBe(3_000);
  });

  it.each([
    'The model is overloaded. Please try again later.',
    'Attempt 1 took 5s',
    'retry in a while',
    '',
  ])('is not guessed from "%s"', (message) => {
    expect(findRetryDelayMs(message)).toBeUndefined();
  });
});

it('a quota per minute without a named delay is renewed after a minute', () => {
  const quota = '"quotaId":"GenerateRequestsPerMinutePerProjectPerModel"';
  expect(findRetryDelayMs(quota)).toBe(60_000);
  expect(findRetryDelayMs(`${quota},"retryDelay":"7s"`)).toBe(7_000);
});
