import { describe, expect, it } from 'vitest';
import type { Failure, StepStopReason } from '../../../src/agents/verdict/verdict.js';
import { type Facts, judgeTurn } from '../headless/judge-turn.js';

function failureOf(facts: Facts): Failure {
  const verdict = judgeTurn(facts);
  if (verdict.ok) throw new Error('the run went well');
  return verdict;
}

describe('a turn that the provider stopped', () => {
  it.each([
    ['start', 'startTimeout', 'did not start within 60 s'],
    ['idle', 'idleTimeout', 'printed nothing for 60 s'],
    ['total', 'timeout', 'did not finish within 60 s'],
  ] as const)('fails by the %s timer and names the option %s', (phase, option, words) => {
    const failure = failureOf({ stopReason: { kind: 'timeout', phase, limitMs: 60_000 } });
    expect(failure).toMatchObject({ code: 'TIMEOUT', phase });
    expect(failure.message).toContain(words);
    expect(failure.hint).toContain(`\`${option}\``);
  });

  it('is CANCELLED if the caller aborted it', () => {
    expect(failureOf({ stopReason: { kind: 'cancelled' } })).toMatchObject({ code: 'CANCELLED' });
  });

  it.each<[string, string, number | undefined]>([
    ['Attempt 2 failed with status 503. Retrying. {"error":{"code":503}}', 'API_UNAVAILABLE', 503],
    ['Attempt 2 failed with status 429. Retrying with backoff...', 'RATE_LIMITED', 429],
    ['Attempt 2 failed: Quota exceeded. Please retry in 2s.', 'RATE_LIMITED', undefined],
    ['Attempt 2 failed. Error: exception TypeError: fetch failed', 'NETWORK', undefined],
    ['Attempt 2 failed: who knows', 'API_UNAVAILABLE', undefined],
    ['Attempt 2 failed. Retrying with backoff... Error: odd', 'API_UNAVAILABLE', undefined],
  ])('has the error of the API if the CLI kept retrying: "%s"', (text, code, httpStatus) => {
    const failure = failureOf({ stopReason: { kind: 'attempts', attempts: 2, text } });
    expect(failure).toMatchObject({ code });
    expect(failure.httpStatus).toBe(httpStatus);
    expect(failure.message).toContain('given up after 2 requests');
  });

  it('names the stream and the limit if the CLI printed too much', () => {
    const stopReason: StepStopReason = {
      kind: 'flood',
      stream: 'stderr',
      limitBytes: 64 * 2 ** 20,
    };
    expect(failureOf({ stopReason })).toMatchObject({
      code: 'PROTOCOL',
      message: 'The CLI printed more than 64 MiB on stderr and was stopped',
    });
  });

  it('names one attempt and the requested delay', () => {
    const stopReason: StepStopReason = {
      kind: 'attempts',
      attempts: 1,
      text: 'Quota exceeded, retry in 2s',
    };
    const failure = failureOf({ stopReason });
    expect(failure.retryAfterMs).toBe(2_000);
    expect(failure.message).toMatch(/given up after 1 request\)$/);
  });
});

describe('a rate limit that the CLI was about to retry', () => {
  const wait = (text: string) =>
    failureOf({ stopReason: { kind: 'attempts', attempts: 1, text, delayMs: 21_038 } });

  it.each([
    'Too many requests',
    'Slow down',
    'You exceeded your current quota, please check your plan and billing details.',
  ])('is RATE_LIMITED with the delay of the API for any message: "%s"', (said) => {
    const text = `Attempt 1 failed: ${said}\nSuggested retry after 20s.. Retrying after 21038ms...`;
    expect(wait(text)).toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterMs: 20_000,
      message: `The API limits the rate of requests: ${said} (given up after 1 request)`,
    });
  });

  it("has the CLI's own delay if the API named none", () => {
    expect(wait('Attempt 1 failed: Capacity is short. Retrying after 21038ms...')).toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterMs: 21_038,
      message: 'The API limits the rate of requests: Capacity is short (given up after 1 request)',
    });
  });

  it('has the status of the notice even if the text does not show it', () => {
    const text =
      'Attempt 1 failed with 429 error (no Retry-After header). Retrying with backoff...';
    const stopReason: StepStopReason = { kind: 'attempts', attempts: 1, text, httpStatus: 429 };
    expect(failureOf({ stopReason })).toMatchObject({ code: 'RATE_LIMITED', httpStatus: 429 });
  });
});

describe('the message of a failure', () => {
  it.each<[number, string, RegExp]>([
    [41, '', /could not authenticate/],
    [42, 'No input provided via stdin.', /received no prompt/],
    [42, 'Session abc already exists.', /exists already/],
    [42, 'Error resuming session: Invalid session identifier "x".', /cannot be resumed/],
    [42, 'odd', /rejected its input/],
    [44, '', /sandbox could not be started/],
    [52, '', /rejected its settings/],
    [1, 'Unknown argument: x\nUsage: gemini [options]', /rejected its command-line arguments/],
    [1, 'Error: Directory does not exist: /x', /directory does not exist/],
    [55, '', /not trusted/],
    [127, '', /could not be executed/],
    [173, '', /^HTTP 429$/],
    [1, 'FATAL ERROR: JavaScript heap out of memory', /out of memory/],
    [1, '', /exited with 1 without a result/],
  ])('for exit %i with stderr %j is a fixed sentence', (exitCode, stderr, message) => {
    expect(failureOf({ exitCode, stderr }).message).toMatch(message);
  });

  it('for a failed request has its status and the first line of the API message', () => {
    const message = '[API Error: Line one.\nLine two.]';
    const failure = failureOf({
      exitCode: 247,
      terminal: { type: 'result', status: 'error', error: { type: 'unknown', message } },
    });
    expect(failure.message).toBe('HTTP 503: Line one.');
  });

  it('does not quote stderr', () => {
    const stderr = 'first line of stderr\nsecond line of stderr';
    for (const exitCode of [1, 41, 42, 44, 52, 53, 54, 55, 127, 137]) {
      expect(failureOf({ exitCode, stderr }).message).not.toContain('line of stderr');
    }
  });
});
