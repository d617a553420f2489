import { expect, it } from 'vitest';
import { ERROR_CODES } from '../../../../../src/base/errors/codes.js';
import { readableHint } from '../../../../../src/batch/report/page/model/readable-hint.js';
import {
  expectationsOf,
  splitByAttempt,
} from '../../../../../src/batch/report/page/model/step-details.js';
import { anAttempt, aStep } from '../../report-builder.js';

it('splits a transcript by attempts', () => {
  const step = aStep('one', {
    attempts: [
      anAttempt(0, 1, { generationId: 'a' }),
      anAttempt(2, 3, { number: 2, generationId: 'b' }),
    ],
  });
  const entry = (generationId: string) =>
    ({ kind: 'text', text: generationId, generationId }) as const;
  const parts = splitByAttempt({ entries: ['a', 'a', 'b', 'c'].map(entry), isCut: false }, step);
  expect(parts.map(({ number, entries }) => [number, entries.length])).toEqual([
    [1, 2],
    [2, 1],
    [undefined, 1],
  ]);
});

it('takes unmet conditions from the error of an older report', () => {
  const missing = [{ kind: 'command' as const, message: 'exited with 1', detail: 'FAIL' }];
  const error = {
    name: 'ProviderError',
    code: 'EXPECTATION_FAILED',
    message: '',
    hint: '',
    retryable: false,
    missing,
  } as const;
  expect(expectationsOf(aStep('one', { error }))).toMatchObject([
    { passed: false, detail: 'FAIL' },
  ]);
  const expectations = [{ kind: 'files', name: 'a.ts', passed: true }] as const;
  expect(expectationsOf(aStep('one', { error, expectations }))).toEqual(expectations);
});

it('names sections of the page in hints, not fields of the API', () => {
  const hint = 'See `missing`. Its answer is in `stderrTail` and `message`.';
  expect(readableHint({ hint, stderrTail: 'x' }, { isOnPageOfStep: true })).toBe(
    'See “Expectations”. Its answer is in “End of stderr” and the message.',
  );
  expect(readableHint({ hint, stderrTail: ' \n' }, { isOnPageOfStep: true })).toBe(
    'See “Expectations”. Its answer is in the message.',
  );
});

it('leaves no name of a field in the hint of any error', () => {
  for (const { hint } of Object.values(ERROR_CODES)) {
    for (const isOnPageOfStep of [true, false]) {
      expect(readableHint({ hint }, { isOnPageOfStep })).not.toMatch(
        /`(stderrTail|message|missing|problems|partial|exitCode|retryAfterMs)/,
      );
    }
  }
});

it('says in the list of failures that expectations and command are on the page of the step', () => {
  const { hint } = ERROR_CODES.EXPECTATION_FAILED;
  expect(readableHint({ hint }, { isOnPageOfStep: false })).toBe(
    'The page of the step has all unmet expectations. Raise `repair` to let the agent correct them, or continue the session with the command on the page of the step.',
  );
  expect(readableHint({ hint }, { isOnPageOfStep: true })).toContain('the command below');
});
