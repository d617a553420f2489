import { describe, expect, it } from 'vitest';
import { DONE, type Facts, judgeTurn, OK, PENDING, SILENCE, SUCCESS } from './judge-turn.js';

describe('our own end of a run', () => {
  it('counts for more than a result that says success', () => {
    const stopReason = { kind: 'timeout', phase: 'total', limitMs: 5_000 } as const;
    expect(judgeTurn({ stopReason, terminal: SUCCESS })).toMatchObject({ code: 'TIMEOUT' });
    expect(judgeTurn({ stopReason: { kind: 'cancelled' }, terminal: SUCCESS })).toMatchObject({
      code: 'CANCELLED',
    });
  });

  it('counts for more than exit code, signal and stderr', () => {
    const facts = { exitCode: 41, signal: 'SIGKILL', stderr: 'Please set an Auth method' };
    expect(judgeTurn({ ...facts, stopReason: { kind: 'cancelled' } })).toMatchObject({
      code: 'CANCELLED',
    });
  });
});

describe('a result that says success', () => {
  it.each([
    [1, 'UNKNOWN'],
    [41, 'AUTH'],
    [54, 'TOOL_FAILED'],
    [134, 'UNKNOWN'],
  ])('is not believed where the CLI then exits with %i', (exitCode, code) => {
    expect(judgeTurn({ terminal: SUCCESS, exitCode })).toMatchObject({
      ok: false,
      code,
      message: expect.stringContaining(String(exitCode)),
    });
  });

  it('is not believed where the CLI is then killed', () => {
    const facts = { terminal: SUCCESS, exitCode: undefined, signal: 'SIGSEGV' };
    expect(judgeTurn(facts)).toMatchObject({
      ok: false,
      code: 'UNKNOWN',
      message: expect.stringContaining('SIGSEGV'),
    });
  });

  it.each([{ exitCode: 1 }, { exitCode: 143 }, { exitCode: undefined, signal: 'SIGKILL' }])(
    'is believed where it was us who ended the CLI after it: %j',
    (end) => {
      expect(judgeTurn({ terminal: SUCCESS, endedAfterResult: true, ...end })).toEqual(OK);
    },
  );

  it('is not believed for a hook or a loop even where we ended the CLI after it', () => {
    const remarks = [{ status: 'warning', message: 'Loop detected, stopping execution' }] as const;
    expect(judgeTurn({ terminal: SUCCESS, endedAfterResult: true, remarks })).toMatchObject({
      code: 'LOOP_DETECTED',
    });
  });
});

describe('a success without a token and without a model', () => {
  it.each([
    ['HOOK_STOPPED', 'small', 20],
    ['HOOK_STOPPED', 'just below the smallest window', 16 * 1024 - 1],
    ['CONTEXT_OVERFLOW', 'big', 5_000_000],
    ['CONTEXT_OVERFLOW', 'of unknown size', undefined],
  ])('is %s where the prompt is %s', (code, _size, promptBytes) => {
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
  ])('is %s where version 0.11 says on stderr that the request failed', (code, what, status) => {
    const stderr = `Error when talking to Gemini API Full report available at: /x.json ${what}`;
    const facts = { terminal: { ...SILENCE, stats: {} }, stderr, promptBytes: 5 };
    expect(judgeTurn(facts)).toMatchObject({ ok: false, code });
    expect(judgeTurn(facts)).toHaveProperty(
      status === undefined ? 'code' : 'httpStatus',
      status ?? code,
    );
  });

  it('is not assumed where the count cannot be read', () => {
    expect(judgeTurn({ terminal: { ...SILENCE, stats: { models: {} } }, promptBytes: 5 })).toEqual(
      OK,
    );
  });

  it('has nothing to do with stderr where tokens were spent', () => {
    const stderr = 'Error when talking to Gemini API: {"error":{"code":429}}';
    expect(judgeTurn({ terminal: SUCCESS, stderr })).toEqual(OK);
  });
});

describe('the session file as evidence', () => {
  const torn = { isTorn: true, foreignLines: 1 };

  it('saves a run whose output was cut off', () => {
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
  ])('does not save it where %s', (_when, facts) => {
    expect(judgeTurn(facts)).toMatchObject({ ok: false, code: 'INCOMPLETE' });
  });

  it('shows that the model was not asked again after a tool', () => {
    const facts = { terminal: SUCCESS, lastTurn: 'unanswered', endsWithTool: true } as const;
    expect(judgeTurn(facts)).toMatchObject({ ok: false, code: 'CONTEXT_OVERFLOW' });
  });

  it('is not asked where the stream ends with words of the model', () => {
    expect(judgeTurn({ terminal: SUCCESS, lastTurn: 'unanswered', endsWithTool: false })).toEqual(
      OK,
    );
    expect(judgeTurn({ terminal: SUCCESS, lastTurn: 'unanswered' })).toEqual(OK);
  });

  it('does not make a failure of a run that ends with a tool and was answered', () => {
    expect(judgeTurn({ terminal: SUCCESS, lastTurn: 'answered', endsWithTool: true })).toEqual(OK);
    expect(judgeTurn({ terminal: SUCCESS, endsWithTool: true })).toEqual(OK);
  });
});

describe('garbage on stdout', () => {
  it('is no protocol error where events came as well', () => {
    expect(judgeTurn({ foreignLines: 3, wireEvents: 1 })).toMatchObject({ code: 'INCOMPLETE' });
  });

  it('is no protocol error where the exit code tells more', () => {
    const facts = { foreignLines: 3, wireEvents: 0 };
    expect(judgeTurn({ ...facts, exitCode: 41 })).toMatchObject({ code: 'AUTH' });
    expect(judgeTurn({ ...facts, exitCode: 1 })).toMatchObject({ code: 'INCOMPLETE' });
  });
});
