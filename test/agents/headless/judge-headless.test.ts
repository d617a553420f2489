import { describe, expect, it } from 'vitest';
import type { StatusRemark } from '../../../src/agents/events/turn-fold.js';
import {
  DONE,
  FAILURE,
  type Facts,
  failedWith,
  judgeTurn,
  OK,
  resultError,
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

describe('an error result', () => {
  it.each([
    ['AUTH', 'ValidationRequiredError', '[API Error: Verify your account to continue.]'],
    ['QUOTA_EXHAUSTED', 'TerminalQuotaError', 'You have exhausted your capacity on this model.'],
    ['RATE_LIMITED', 'TerminalQuotaError', 'No capacity available for model x on the server'],
    ['TURN_LIMIT', 'unknown', 'Maximum session turns exceeded'],
  ])('is %s if its type is %s', (code, type, message) => {
    const judged = judgeTurn({ exitCode: 1, terminal: resultError(type, message) });
    expect(judged).toMatchObject({ ok: false, code });
  });

  it('of the type unknown is judged by the class that stderr names', () => {
    const stderr = 'Validation handler failed: ValidationRequiredError: Verify.\n    at x (y.js:1)';
    const terminal = resultError('unknown', '[API Error: Verify your account to continue.]');
    expect(judgeTurn({ exitCode: 1, terminal, stderr })).toMatchObject({
      code: 'AUTH',
      message: 'The account must be verified: Verify your account to continue.',
      hint: expect.stringContaining('in a terminal'),
    });
  });

  it('of -o json keeps the sentence of the API', () => {
    const terminal = resultError('TerminalQuotaError', 'Your daily quota is used up.');
    expect(judgeTurn({ exitCode: 173, terminal })).toMatchObject({
      code: 'QUOTA_EXHAUSTED',
      message: 'HTTP 429: Your daily quota is used up.',
    });
  });
});

describe('a failure that the CLI reports as a warning of a success', () => {
  it.each([
    ['TURN_LIMIT', 'Maximum session turns exceeded'],
    ['HOOK_STOPPED', 'Agent execution stopped: no'],
  ])('is %s: "%s"', (code, message) => {
    const judged = judgeTurn({ terminal: SUCCESS, remarks: remark('warning', message) });
    expect(judged).toMatchObject({ ok: false, code });
  });

  it('is EMPTY_RESPONSE if neither text nor tool calls came', () => {
    const stats = { total_tokens: 880, tool_calls: 0, models: { m: {} } };
    const silent = { terminal: { ...SUCCESS, stats }, text: ' ' };
    expect(judgeTurn(silent)).toMatchObject({ code: 'EMPTY_RESPONSE' });
    expect(judgeTurn({ ...silent, text: 'yes' })).toEqual(OK);
    const calling = { ...SUCCESS, stats: { ...stats, tool_calls: 1 } };
    expect(judgeTurn({ terminal: calling, text: '', toolCalls: [DONE] })).toEqual(OK);
  });

  it('is HOOK_STOPPED if there are hooks and neither text nor tool calls', () => {
    const silent = { terminal: SUCCESS, hasHooks: true };
    expect(judgeTurn(silent)).toMatchObject({ code: 'HOOK_STOPPED' });
    expect(judgeTurn({ ...silent, text: 'yes' })).toEqual(OK);
    expect(judgeTurn({ ...silent, toolCalls: [DONE] })).toEqual(OK);
  });
});

describe('a turn without a result', () => {
  it.each([
    ['RATE_LIMITED', '{"error":{"code":429,"message":"Slow down","status":"RESOURCE_EXHAUSTED"}}'],
    ['RATE_LIMITED', 'Quota exceeded for quota metric'],
    ['API_UNAVAILABLE', 'got status: 503'],
    ['INCOMPLETE', 'MCP server: fetch failed'],
  ])('is %s if stderr of exit 1 says %s', (code, stderr) => {
    expect(judgeTurn({ exitCode: 1, wireEvents: 0, stderr })).toMatchObject({ code });
  });

  it.each([
    'Authentication failed: not logged in',
    'warning: x\nYou must login first\n',
    'Error: please sign in',
  ])('is AUTH if a CLI without events asks for a login in its last line: %j', (stderr) => {
    expect(judgeTurn({ exitCode: 1, wireEvents: 0, stderr })).toMatchObject({
      code: 'AUTH',
      hint: expect.stringContaining('stderrTail'),
    });
    // After the first event these words may be those of an MCP server.
    expect(judgeTurn({ exitCode: 1, wireEvents: 1, stderr })).toMatchObject({ code: 'INCOMPLETE' });
    const later = `${stderr}\nThe extension is broken`;
    expect(judgeTurn({ exitCode: 1, wireEvents: 0, stderr: later })).toMatchObject({
      code: 'INCOMPLETE',
    });
  });

  it('has the hint to read stderr if the CLI exited by itself and said something', () => {
    const own = judgeTurn({ exitCode: 1, wireEvents: 0, stderr: 'The extension is broken' });
    expect(own).toMatchObject({ code: 'INCOMPLETE', hint: expect.stringContaining('stderrTail') });
    expect(judgeTurn({ exitCode: 1, wireEvents: 0 })).not.toHaveProperty('hint');
  });
});
