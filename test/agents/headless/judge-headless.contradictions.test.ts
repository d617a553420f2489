import { describe, expect, it } from 'vitest';
import { DONE, type Facts, judgeTurn, OK, PENDING, SILENCE, SUCCESS } from './judge-turn.js';

describe('a stop reason of the provider', () => {
  it('counts more than a result with success', () => {
    const stopReason = { kind: 'timeout', phase: 'total', limitMs: 5_000 } as const;
    expect(judgeTurn({ stopReason, terminal: SUCCESS })).toMatchObject({ code: 'TIMEOUT' });
    expect(judgeTurn({ stopReason: { kind: 'cancelled' }, terminal: SUCCESS })).toMatchObject({
      code: 'CANCELLED',
    });
  });

  it('counts more than exit code, signal and stderr', () => {
    const facts = { exitCode: 41, signal: 'SIGKILL', stderr: 'Please set an Auth method' };
    expect(judgeTurn({ ...facts, stopReason: { kind: 'cancelled' } })).toMatchObject({
      code: 'CANCELLED',
    });
  });
});

describe('a result with success', () => {
  it.each([
    [1, 'UNKNOWN'],
    [41, 'AUTH'],
    [54, 'TOOL_FAILED'],
    [134, 'UNKNOWN'],
  ])('is a failure if the CLI then exits with %i', (exitCode, code) => {
    expect(judgeTurn({ terminal: SUCCESS, exitCode })).toMatchObject({
      ok: false,
      code,
      message: expect.stringContaining(String(exitCode)),
    });
  });

  it('is a failure if the CLI is then killed', () => {
    const facts = { terminal: SUCCESS, exitCode: undefined, signal: 'SIGSEGV' };
    expect(judgeTurn(facts)).toMatchObject({
      ok: false,
      code: 'UNKNOWN',
      message: expect.stringContaining('SIGSEGV'),
    });
  });

  it.each([{ exitCode: 1 }, { exitCode: 143 }, { exitCode: undefined, signal: 'SIGKILL' }])(
    'is a success if the provider then stopped the CLI: %j',
    (end) => {
      expect(judgeTurn({ terminal: SUCCESS, endedAfterResult: true, ...end })).toEqual(OK);
    },
  );

  it('is a failure after a hook or a loop, even if the provider stopped the CLI', () => {
    const remarks = [{ status: 'warning', message: 'Loop detected, stopping execution' }] as const;
    expect(judgeTurn({ terminal: SUCCESS, endedAfterResult: true, remarks })).toMatchObject({
      code: 'LOOP_DETECTED',
    });
  });
});

describe('a success without tokens and without a model', () => {
  it.each([
    ['HOOK_STOPPED', 'small', 20],
    ['HOOK_STOPPED', 'just below the smallest window', 16 * 1024 - 1],
    ['CONTEXT_OVERFLOW', 'big', 5_000_000],
    ['CONTEXT_OVERFLOW', 'of unknown size', undefined],
  ])('is %s if the prompt is %s', (code, _size, promptBytes) => {
    expect(judgeTurn({ terminal: SILENCE, promptBytes, hasHooks: true })).toMatchObject({
      ok: false,
      code,
    });
  });

  it.each([
    ['RATE_LIMITED', '{"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}', 429],
    ['AUTH', '{"error":{"code":400,"message":"API key not valid."}}', 400],
    ['API_UNAVAILABLE', 'got status: 503 Service Unavailable', 503],
    ['UNKNOWN', 'who knows', undefined],
  ])('is %s if version 0.11 reports a failed request on stderr', (code, what, status) => {
    const stderr = `Error when talking to Gemini API Full report available at: /x.json ${what}`;
    const facts = { terminal: { ...SILENCE, stats: {} }, stderr, promptBytes: 5 };
    expect(judgeTurn(facts)).toMatchObject({ ok: false, code });
    expect(judgeTurn(facts)).toHaveProperty(
      status === undefined ? 'code' : 'httpStatus',
      status ?? code,
    );
  });

  it('is not assumed if the count cannot be read', () => {
    expect(judgeTurn({ terminal: { ...SILENCE, stats: { models: {} } }, promptBytes: 5 })).toEqual(
      OK,
    );
  });

  it('is not derived from stderr if tokens were used', () => {
    const stderr = 'Error when talking to Gemini API: {"error":{"code":429}}';
    expect(judgeTurn({ terminal: SUCCESS, stderr })).toEqual(OK);
  });
});

describe('the session file as evidence', () => {
  const torn = { isTorn: true, foreignLines: 1 };

  it('recovers a turn whose output was cut off', () => {
    expect(judgeTurn({ ...torn, lastTurn: 'answered', toolCalls: [DONE] })).toEqual({
      ok: true,
      recovered: true,
    });
  });

  it.each<[string, Facts]>([
    ['a tool call is open', { ...torn, lastTurn: 'answered', toolCalls: [DONE, PENDING] }],
    ['the model did not have the last word', { ...torn, lastTurn: 'unanswered' }],
    ['there is no session file', torn],
    ['the output just stops between two lines', { lastTurn: 'answered' }],
    [
      'the CLI was killed',
      { ...torn, lastTurn: 'answered', exitCode: undefined, signal: 'SIGKILL' },
    ],
    ['the CLI did not exit with 0', { ...torn, lastTurn: 'answered', exitCode: 1 }],
  ])('does not recover a turn if %s', (_when, facts) => {
    expect(judgeTurn(facts)).toMatchObject({ ok: false, code: 'INCOMPLETE' });
  });

  it('shows that the CLI did not ask the model again after a tool call', () => {
    const facts = { terminal: SUCCESS, lastTurn: 'unanswered', endsWithTool: true } as const;
    expect(judgeTurn(facts)).toMatchObject({ ok: false, code: 'CONTEXT_OVERFLOW' });
  });

  it('is ignored if the stream ends with text of the model', () => {
    expect(judgeTurn({ terminal: SUCCESS, lastTurn: 'unanswered', endsWithTool: false })).toEqual(
      OK,
    );
    expect(judgeTurn({ terminal: SUCCESS, lastTurn: 'unanswered' })).toEqual(OK);
  });

  it('does not fail a turn that ends with a tool call and was answered', () => {
    expect(judgeTurn({ terminal: SUCCESS, lastTurn: 'answered', endsWithTool: true })).toEqual(OK);
    expect(judgeTurn({ terminal: SUCCESS, endsWithTool: true })).toEqual(OK);
  });
});

describe('garbage on stdout', () => {
  it('is no protocol error if there are events as well', () => {
    expect(judgeTurn({ foreignLines: 3, wireEvents: 1 })).toMatchObject({ code: 'INCOMPLETE' });
  });

  it('is no protocol error if the exit code is more precise', () => {
    const facts = { foreignLines: 3, wireEvents: 0 };
    expect(judgeTurn({ ...facts, exitCode: 41 })).toMatchObject({ code: 'AUTH' });
    expect(judgeTurn({ ...facts, exitCode: 1 })).toMatchObject({ code: 'INCOMPLETE' });
  });
});
