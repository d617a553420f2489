import { describe, expect, it } from 'vitest';
import { classifyApiFailure, codeOfHttpStatus } from '../../../src/agents/verdict/api-failure.js';

describe('an HTTP status', () => {
  it.each([
    [400, 'API_REQUEST'],
    [401, 'AUTH'],
    [403, 'AUTH'],
    [404, 'MODEL_NOT_FOUND'],
    [409, 'API_REQUEST'],
    [413, 'API_REQUEST'],
    [429, 'RATE_LIMITED'],
    [499, 'API_UNAVAILABLE'],
    [500, 'API_UNAVAILABLE'],
    [502, 'API_UNAVAILABLE'],
    [503, 'API_UNAVAILABLE'],
    [504, 'API_UNAVAILABLE'],
  ] as const)('of %i means %s', (status, code) => {
    expect(codeOfHttpStatus(status)).toBe(code);
  });
});

describe('the text of an API error', () => {
  it.each([
    ['API key not valid. Please pass a valid API key.', 'AUTH'],
    ['[API Error: {"error":{"code":400,"details":[{"reason":"API_KEY_INVALID"}]}}]', 'AUTH'],
    ['This tier is no longer supported for Gemini Code Assist for individuals', 'AUTH'],
    ['[API Error: models/x is not found for API version v1beta]', 'MODEL_NOT_FOUND'],
    ['Resource has been exhausted (e.g. check quota).', 'RATE_LIMITED'],
    ['Quota exceeded for quota metric. Please retry in 2s.', 'RATE_LIMITED'],
    ['Too Many Requests', 'RATE_LIMITED'],
    ['reason: RATE_LIMIT_EXCEEDED', 'RATE_LIMITED'],
    ['You exceeded your current quota, please check your plan.', 'RATE_LIMITED'],
    ['Anything.\nSuggested retry after 20s.', 'RATE_LIMITED'],
    ['You have exhausted your daily quota on this model.', 'QUOTA_EXHAUSTED'],
    ['Quota exceeded: GenerateRequestsPerDayPerProjectPerModel', 'QUOTA_EXHAUSTED'],
    ['Quota exceeded, limit: 0, model: gemini-x', 'QUOTA_EXHAUSTED'],
    ['[API Error: exception TypeError: fetch failed sending request]', 'NETWORK'],
    ['Incomplete JSON segment at the end', 'NETWORK'],
    ['connect ECONNREFUSED 127.0.0.1:1', 'NETWORK'],
    ['getaddrinfo ENOTFOUND generativelanguage.googleapis.com', 'NETWORK'],
    ['unable to verify the first certificate', 'NETWORK'],
  ] as const)('"%s" means %s', (text, code) => {
    expect(classifyApiFailure(text)?.code).toBe(code);
  });

  it.each(['', 'Something else went wrong', 'read 404 files', 'cannot generate limits'])(
    'is no API failure if it is "%s"',
    (text) => {
      expect(classifyApiFailure(text)).toBeUndefined();
    },
  );

  it('means a used-up quota with a limit of 0, but not of 0.5 or 05', () => {
    expect(classifyApiFailure('Quota exceeded, limit: 0.5')?.code).toBe('RATE_LIMITED');
    expect(classifyApiFailure('Quota exceeded, limit: 05')?.code).toBe('RATE_LIMITED');
  });
});

describe('a limit of Code Assist, the API behind a login with Google', () => {
  const sentence = (reset: string): string =>
    `[API Error: You have exhausted your capacity on this model. Your quota will reset after ${reset}.]`;
  const TERMINAL = 'TerminalQuotaError';

  it('is a used-up quota, with the time of its renewal', () => {
    expect(classifyApiFailure(sentence('19h8m20s'), 429)).toMatchObject({
      code: 'QUOTA_EXHAUSTED',
      retryAfterMs: 68_900_000,
      sentence: expect.stringContaining('reset after 19h8m20s'),
    });
    expect(classifyApiFailure(sentence('19h8m20s'), undefined, TERMINAL)?.code).toBe(
      'QUOTA_EXHAUSTED',
    );
  });

  it('is a rate limit if it is renewed within the hour', () => {
    expect(classifyApiFailure(sentence('6m0s'), 429, TERMINAL)).toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterMs: 360_000,
    });
  });

  it('without a time is a used-up quota if the CLI does not repeat the request', () => {
    const text = 'You have exhausted your capacity on this model.';
    expect(classifyApiFailure(text, 429)?.code).toBe('RATE_LIMITED');
    expect(classifyApiFailure(text, 429, TERMINAL)?.code).toBe('QUOTA_EXHAUSTED');
  });

  it.each([
    'No capacity available for model x on the server',
    'Rate limit exceeded',
    'Slow down.\nSuggested retry after 310s.',
  ])('that is no quota stays a rate limit: "%s"', (text) => {
    expect(classifyApiFailure(text, 429, TERMINAL)?.code).toBe('RATE_LIMITED');
    expect(classifyApiFailure(text, undefined, TERMINAL)?.code).toBe('RATE_LIMITED');
  });
});

describe('the HTTP status in an API error', () => {
  it.each([
    ['{"error":{"code": 503,"message":"overloaded"}}', 503, 'API_UNAVAILABLE'],
    ['got status: 502 Bad Gateway', 502, 'API_UNAVAILABLE'],
    ['{"error":{"status":"PERMISSION_DENIED"}}', 403, 'AUTH'],
    ['denied (Status: UNAUTHENTICATED)', 401, 'AUTH'],
    ['{"status": "INVALID_ARGUMENT"}', 400, 'API_REQUEST'],
    ['{"status":"RESOURCE_EXHAUSTED"}', 429, 'RATE_LIMITED'],
    ['{"status":"DEADLINE_EXCEEDED"}', 504, 'API_UNAVAILABLE'],
  ] as const)('is read from "%s"', (text, httpStatus, code) => {
    expect(classifyApiFailure(text)).toMatchObject({ httpStatus, code });
  });

  it('counts more than the status in the text if it comes from the exit code', () => {
    expect(classifyApiFailure('{"error":{"code":503}}', 400)).toMatchObject({
      httpStatus: 400,
      code: 'API_REQUEST',
    });
  });

  it('does not hide an invalid key', () => {
    expect(classifyApiFailure('API key expired. Renew it.', 400)?.code).toBe('AUTH');
  });

  it('turns any text into an API failure', () => {
    expect(classifyApiFailure('', 500)).toMatchObject({ code: 'API_UNAVAILABLE', httpStatus: 500 });
  });

  it('distinguishes a rate limit from a used-up quota', () => {
    expect(classifyApiFailure('too fast', 429)?.code).toBe('RATE_LIMITED');
    expect(classifyApiFailure('reason: QUOTA_EXHAUSTED', 429)?.code).toBe('QUOTA_EXHAUSTED');
  });
});

describe('a rate limit', () => {
  it('has the delay that the API asks for', () => {
    const text = '[API Error: Quota exceeded. Please retry in 2s.\nSuggested retry after 2s.]\nBye';
    expect(classifyApiFailure(text, 429)).toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterMs: 2_000,
    });
  });

  it('is the only failure with a delay', () => {
    expect(classifyApiFailure('overloaded, retry in 2s', 503)?.retryAfterMs).toBeUndefined();
  });
});

describe('the sentence of an API error', () => {
  it.each([
    ['[API Error: The model is overloaded.]\nPlease wait.', 'The model is overloaded.'],
    ['[API Error: {"error":{"code":400,"message":"Bad \\"thing\\""}}]', 'Bad "thing"'],
    ['{\n  "error": {\n    "message": "Line one.\\nLine two."\n  }\n}', 'Line one.\nLine two.'],
    [
      '[API Error: {"error":{"message":"{\\n \\"error\\": {\\"message\\": \\"Deep inside.\\"}}"}}]',
      'Deep inside.',
    ],
    ['plain words, perhaps of stderr', undefined],
  ])('is extracted from "%s"', (text, sentence) => {
    expect(classifyApiFailure(text, 400)?.sentence).toBe(sentence);
  });
});
