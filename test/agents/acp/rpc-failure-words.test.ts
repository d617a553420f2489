import { describe, expect, it } from 'vitest';
import { createGenericProfile } from '../../../src/agents/acp/generic-profile.js';

const { judgeRpcError } = createGenericProfile('Agent');
const internal = (details: string, more: object = {}) => ({
  code: -32_603,
  message: 'Internal error',
  data: { details, ...more },
});

describe('an error of an agent', () => {
  it.each([
    ['401 Incorrect key', 'AUTH', 401],
    ['403 no', 'AUTH', 403],
    ['404 no such model', 'MODEL_NOT_FOUND', 404],
    ['429 slow down', 'RATE_LIMITED', 429],
    ['400 malformed', 'API_REQUEST', 400],
    ['500 fake', 'API_UNAVAILABLE', 500],
    ['API Error: 529 overloaded', 'API_UNAVAILABLE', 529],
  ])('with the text %j has the code %s', (details, code, httpStatus) => {
    expect(judgeRpcError(internal(details))).toMatchObject({ code, httpStatus });
  });

  it('keeps its text, and has the status only once', () => {
    expect(judgeRpcError(internal('500 out of order\nstack')).message).toBe(
      'HTTP 500: out of order',
    );
  });

  it('with the name APIError is judged by the number in its message', () => {
    const error = {
      code: -32_603,
      message: 'Internal error: fake 401',
      data: { name: 'APIError' },
    };
    expect(judgeRpcError(error)).toMatchObject({ code: 'AUTH', message: 'HTTP 401: fake 401' });
  });

  it('about invalid parameters has the code MODEL_NOT_FOUND if it names a model', () => {
    const error = { code: -32_602, message: 'Invalid params: model not found: m' };
    expect(judgeRpcError(error).code).toBe('MODEL_NOT_FOUND');
    const other = { code: -32_602, message: 'Invalid params: session not found: s' };
    expect(judgeRpcError(other).code).toBe('INVALID_INPUT');
  });

  it.each([
    ["Model 'm' not found for authType 'openai'", 'MODEL_NOT_FOUND'],
    ['Incorrect API key provided: none', 'AUTH'],
    ['fetch failed', 'NETWORK'],
    ['Something broke', 'UNKNOWN'],
  ])('without a status, %j, has the code %s', (details, code) => {
    const failure = judgeRpcError(internal(details));
    expect(failure).toMatchObject({ code });
    expect(failure.httpStatus).toBeUndefined();
  });
});
