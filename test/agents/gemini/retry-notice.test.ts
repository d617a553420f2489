import { describe, expect, it } from 'vitest';
import { type RetryNotice, RetryNoticeReader } from '../../../src/agents/gemini/retry-notice.js';
import { loadRecording } from '../../fixtures/recordings.js';

function read(stderr: string): RetryNotice[] {
  const notices: RetryNotice[] = [];
  const reader = new RetryNoticeReader((notice) => notices.push(notice));
  for (const line of stderr.split('\n')) reader.accept(line);
  return notices;
}

describe('a retry notice of the CLI', () => {
  it('has the attempt and the status', () => {
    const line =
      'Attempt 3 failed with status 503. Retrying with backoff... _ApiError: {"error":{}}';
    expect(read(`noise\n${line}\n    at somewhere`)).toEqual([
      { attempt: 3, text: line, delayMs: undefined, httpStatus: 503 },
    ]);
  });

  it('has the delay, and the message of the API over several lines', () => {
    const text =
      'Attempt 1 failed: Quota exceeded. Please retry in 2s.\nSuggested retry after 2s.. Retrying after 5665ms...';
    expect(read(text)).toEqual([{ attempt: 1, text, delayMs: 5_665, httpStatus: undefined }]);
  });

  it('has the status from the answer of the API', () => {
    const text = 'Attempt 2 failed: {"error":{"code": 429}} Retrying after 10ms...';
    expect(read(text)).toMatchObject([{ attempt: 2, httpStatus: 429, delayMs: 10 }]);
  });

  it.each([
    [
      'Attempt 2 failed with 429 error (no Retry-After header). Retrying with backoff... Error',
      429,
    ],
    ['Attempt 2 failed: no more with 500 requests. Retrying after 10ms...', undefined],
  ])('has a status only if the number is one: "%s"', (text, httpStatus) => {
    expect(read(text)[0]?.httpStatus).toBe(httpStatus);
  });

  it('is read for the last attempt too', () => {
    expect(read('Attempt 10 failed: overloaded. Max attempts reached')).toMatchObject([
      { attempt: 10 },
    ]);
  });

  it('is complete after six lines without an end', () => {
    const [notice] = read(`Attempt 1 failed: a\n${'b\n'.repeat(20)}`);
    expect(notice?.text).toBe('Attempt 1 failed: a\nb\nb\nb\nb\nb');
  });

  it('is dropped if another notice begins before its end', () => {
    expect(read('Attempt 1 failed: a\nAttempt 2 failed: b\nRetrying after 5ms')).toEqual([
      {
        attempt: 2,
        text: 'Attempt 2 failed: b\nRetrying after 5ms',
        delayMs: 5,
        httpStatus: undefined,
      },
    ]);
  });

  it.each([
    '',
    'Retrying after 5ms',
    'An Attempt 1 failed with status 503. Retrying',
    'Attempt failed',
  ])('is not found in %j', (stderr) => {
    expect(read(stderr)).toEqual([]);
  });
});

describe('the retry notices of a recorded turn', () => {
  it.each([
    ['retry_q429min', undefined],
    ['retry_q429plain', 429],
    ['retry_e500', 500],
    ['retry_e503', 503],
  ])('are complete: %s', (name, httpStatus) => {
    const notices = read(loadRecording(name).stderr);
    expect(notices.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    // The last notice only says that the attempts are used up.
    const statuses = notices.slice(0, -1).map((notice) => notice.httpStatus);
    expect(new Set(statuses)).toEqual(new Set([httpStatus]));
    expect(notices.at(-1)?.text).toMatch(/Max attempts reached$/);
  });

  it('name the failure if no answer came', () => {
    const notices = read(loadRecording('retry_drop').stderr);
    expect(notices).toHaveLength(9);
    for (const { text, httpStatus } of notices) {
      expect(text).toContain('fetch failed');
      expect(httpStatus).toBeUndefined();
    }
  });

  it('are empty if nothing was retried', () => {
    expect(read(loadRecording('success_write').stderr)).toEqual([]);
  });
});
