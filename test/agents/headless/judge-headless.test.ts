import { describe, expect, it } from 'vitest';
import type { StatusRemark } from '../../../src/agents/events/turn-fold.js';
import {
  DONE,
  FAILURE,
  type Facts,
  failedWith,
  judgeTurn,
  OK,
  SILENCE,
  SUCCESS,
} from './judge-turn.js';

function remark(status: StatusRemark['status'], message: string): StatusRemark[] {
  return [{ status, message }];
}

const noTokens = { ...SUCCESS, stats: { total_tokens: 0, models: { m: {} } } };
const noModels = { ...SUCCESS, stats: { total_tokens: 1 } };
const denied = [failedWith('tool_not_registered'), failedWith('policy_violation')];

describe('a turn that exits with 0', () => {
  it.each<[string, Facts]>([
    ['the result is a success', {}],
    ['a model ran, although it counted no tokens', { terminal: noTokens }],
    ['tokens were counted, although no model is named', { terminal: noModels }],
    ['tools failed', { toolCalls: [DONE, failedWith('file_not_found')] }],
    ['tools were denied', { toolCalls: denied }],
    ['there were warnings', { remarks: remark('warning', 'Agent execution blocked: x') }],
    ['the CLI had retried', { remarks: remark('retrying', 'Attempt 1 failed') }],
    ['there was noise on stdout', { foreignLines: 3 }],
    ['there was noise on stderr', { stderr: 'RetryableQuotaError: earlier\nUsage: gemini' }],
    ['the exit code is not known', { exitCode: undefined }],
  ])('is a success if %s', (_when, facts) => {
    expect(judgeTurn({ terminal: SUCCESS, ...facts })).toEqual(OK);
  });

  it.each<[string, string, Facts]>([
    ['INCOMPLETE', 'the stream just stops', {}],
    ['INCOMPLETE', 'the last line is cut in half', { isTorn: true, foreignLines: 1 }],
    ['INCOMPLETE', 'nothing came at all', { wireEvents: 0 }],
    ['PROTOCOL', 'only garbage came', { wireEvents: 0, foreignLines: 7 }],
    ['CONTEXT_OVERFLOW', 'no request was made', { terminal: SILENCE }],
    ['EMPTY_RESPONSE', 'the result has no error field', { terminal: FAILURE }],
  ])('is %s if %s', (code, _when, facts) => {
    expect(judgeTurn(facts)).toMatchObject({ ok: false, code });
  });

  it.each([
    ['EMPTY_RESPONSE', 'The model returned an empty response with no text or thoughts.'],
    ['EMPTY_RESPONSE', 'The model returned reasoning thoughts but no final response text.'],
    ['EMPTY_RESPONSE', 'Model stream ended with malformed function call.'],
    ['EMPTY_RESPONSE', 'Model stream ended without a finish reason.'],
    ['CONTENT_BLOCKED', 'The model response was blocked due to safety settings.'],
    ['UNKNOWN', 'something new'],
  ])('is %s if the answer is unusable: "%s"', (code, message) => {
    const facts = { terminal: FAILURE, remarks: remark('error', message) };
    expect(judgeTurn(facts)).toMatchObject({ ok: false, code });
  });

  it.each<[string, string, Facts]>([
    [
      'LOOP_DETECTED',
      'a loop',
      { remarks: remark('warning', 'Loop detected, stopping execution') },
    ],
    [
      'TURN_LIMIT',
      'the turn limit',
      { remarks: remark('error', 'Maximum session turns exceeded') },
    ],
    ['HOOK_STOPPED', 'a stop by a hook', { toolCalls: [DONE, failedWith('stop_execution')] }],
    ['TOOL_FAILED', 'a full disk', { toolCalls: [DONE, failedWith('no_space_left')] }],
    ['RATE_LIMITED', 'an error of the API', { remarks: remark('error', 'Quota exceeded') }],
    ['UNKNOWN', 'an unknown error', { remarks: remark('error', 'something odd') }],
  ])('is %s if the CLI reports success after %s', (code, _what, facts) => {
    expect(judgeTurn({ terminal: SUCCESS, ...facts })).toMatchObject({ ok: false, code });
  });

  it('is judged by the first error of several', () => {
    const remarks = [
      ...remark('warning', 'careful'),
      ...remark('error', 'The model response was blocked due to safety settings.'),
      ...remark('error', 'Model stream ended without a finish reason.'),
    ];
    expect(judgeTurn({ terminal: FAILURE, remarks })).toMatchObject({ code: 'CONTENT_BLOCKED' });
  });
});

describe('a turn whose process was killed', () => {
  it.each(['SIGKILL', 'SIGTERM', 'SIGSEGV'])(
    'is INCOMPLETE after %s before the result',
    (signal) => {
      expect(judgeTurn({ exitCode: undefined, signal })).toMatchObject({
        code: 'INCOMPLETE',
        message: expect.stringContaining(signal),
      });
    },
  );
});

describe('a turn whose process could not start', () => {
  it.each([
    ['ENOENT', 'CLI_NOT_FOUND'],
    ['EACCES', 'CLI_NOT_FOUND'],
    ['ENOEXEC', 'CLI_NOT_FOUND'],
    ['EAGAIN', 'UNKNOWN'],
  ])('with %s is %s', (spawnErrno, code) => {
    const facts = { exitCode: undefined, spawnErrno, wireEvents: 0 };
    expect(judgeTurn(facts)).toMatchObject({ code, message: expect.stringContaining(spawnErrno) });
  });
});
