import { describe, expect, it } from 'vitest';
import { geminiProfile } from '../../../src/agents/acp/gemini-profile.js';
import {
  describeRpcError,
  judgeModelError,
  judgeProtocolError,
} from '../../../src/agents/acp/rpc-failure.js';

describe('an error of the protocol', () => {
  it.each([
    [-32_000, 'AUTH'],
    [-32_002, 'INVALID_INPUT'],
    [-32_602, 'INVALID_INPUT'],
    [-32_601, 'PROTOCOL'],
    [-32_603, 'UNKNOWN'],
    [0, 'UNKNOWN'],
  ])('with the code %i is %s', (code, expected) => {
    const judged = judgeProtocolError({ code, message: 'text' });
    expect(judged).toMatchObject({ ok: false, code: expected });
    expect(judged.message).toContain('text');
  });

  it('that contains a failed request is judged by its text', () => {
    const error = { code: -32_603, message: 'Internal error', data: { details: 'fetch failed' } };
    expect(judgeProtocolError(error)).toMatchObject({ code: 'NETWORK' });
  });
});

describe('an error of the model', () => {
  it.each([
    [400, 'API_REQUEST'],
    [401, 'AUTH'],
    [403, 'AUTH'],
    [404, 'MODEL_NOT_FOUND'],
    [429, 'RATE_LIMITED'],
    [500, 'API_UNAVAILABLE'],
    [503, 'API_UNAVAILABLE'],
  ])('with the status %i is %s', (status, code) => {
    expect(judgeModelError(status, 'oops')).toMatchObject({ code, httpStatus: status });
  });

  it('distinguishes a quota from a rate limit, and has the time to wait', () => {
    const throttle = '{"error":{"code":429,"message":"Slow down. Please retry in 30s."}}';
    expect(judgeModelError(429, throttle)).toMatchObject({
      code: 'RATE_LIMITED',
      message: 'HTTP 429: Slow down. Please retry in 30s.',
      retryAfterMs: 30_000,
    });
    const quota = '{"error":{"code":429,"message":"GenerateRequestsPerDay is used up"}}';
    expect(judgeModelError(429, quota)).toMatchObject({ code: 'QUOTA_EXHAUSTED' });
  });

  it('without a status and a known text is UNKNOWN', () => {
    expect(judgeModelError(7, 'oops')).toMatchObject({ code: 'UNKNOWN' });
  });
});

describe('the text of an error', () => {
  it.each([
    [undefined, 'message'],
    [null, 'message'],
    ['data', 'data'],
    [{ details: 'details', message: 'inner' }, 'details'],
    [{ message: 'inner' }, 'inner'],
    [{ error: 'error' }, 'error'],
    [{ details: 7 }, 'message'],
    [['x'], 'message'],
  ])('with the data %j is %s', (data, text) => {
    expect(describeRpcError({ code: 1, message: 'message', data })).toBe(text);
  });
});

describe('an error of the Gemini CLI', () => {
  const judge = (code: number, message: string, data?: unknown) => {
    return geminiProfile.judgeRpcError({ code, message, data });
  };

  it.each([
    [401, 'x', 'AUTH'],
    [400, 'API key not valid. Please pass a valid API key.', 'AUTH'],
    [400, 'x', 'API_REQUEST'],
    [429, 'x', 'RATE_LIMITED'],
    [500, '{"error":{"code":404,"message":"models/x is not found"}}', 'MODEL_NOT_FOUND'],
    [500, 'fetch failed', 'NETWORK'],
    [500, 'x', 'API_UNAVAILABLE'],
    [-32_000, 'Authentication required', 'AUTH'],
    [-32_602, 'Session not found: x', 'INVALID_INPUT'],
  ])('with the code %i and the text "%s" is %s', (code, message, expected) => {
    expect(judge(code, message)).toMatchObject({ code: expected });
  });

  it.each([
    'Directory does not exist: /nowhere',
    'Invalid session identifier "x"',
    'No previous sessions found for this project.',
  ])('with the text "%s" is INVALID_INPUT', (details) => {
    expect(judge(-32_603, 'Internal error', { details: `${details}\nmore` })).toMatchObject({
      code: 'INVALID_INPUT',
      message: details,
    });
  });
});
