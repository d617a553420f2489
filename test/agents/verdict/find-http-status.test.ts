import { describe, expect, it } from 'vitest';
import { findHttpStatus } from '../../../src/agents/verdict/find-http-status.js';

describe('the HTTP status in the message of an agent', () => {
  it.each([
    ['401 Incorrect key', 401],
    ['500 fake 404', 500],
    ['Internal error: API Error: 529 {"type":"error"}', 529],
    ['Request failed with status code 503', 503],
    ['Error code: 429 - slow down', 429],
    ['unexpected answer, 404 Not Found: no such path', 404],
    ['Internal error: Too Many Requests', 429],
    ['Internal Server Error', 500],
    ['The API answered with 500', 500],
  ])('is found in %j', (words, status) => {
    expect(findHttpStatus(words)).toBe(status);
  });

  it('counts at the end of a line if the details mention an API', () => {
    expect(findHttpStatus('Internal error: fake 401', '{"errorName":"APIError"}')).toBe(401);
  });

  it.each([
    'Internal error',
    'cannot read line 404',
    'Session not found: 500-a',
    'the first of 401 files is missing',
    '4012 tokens are too many',
    '',
  ])('is not found in %j', (words) => {
    expect(findHttpStatus(words)).toBeUndefined();
  });
});
