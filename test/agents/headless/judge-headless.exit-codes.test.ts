import { describe, expect, it } from 'vitest';
import { type Facts, failedWith, judgeTurn, resultError } from './judge-turn.js';

/** Texts on stderr and results for exit codes with several meanings. */
const usage: Facts = { stderr: 'Unknown argument: x\nUsage: gemini [options]' };
const noDirectory: Facts = { stderr: 'Error: Directory does not exist: /x' };
const noImage: Facts = { stderr: 'FatalSandboxError: Sandbox image x is missing' };
const noModel = resultError('unknown', '[API Error: models/x is not found for API version v1beta]');
const noNetwork = resultError('unknown', '[API Error: exception TypeError: fetch failed]');
const badStream = resultError('unknown', '[API Error: Incomplete JSON segment at the end]');
const tooManyTurns = resultError('FatalTurnLimitedError', 'Reached max session turns');
const noSpace = resultError('no_space_left', 'ENOSPC: no space left on device');
const cancelled = resultError('FatalCancellationError', 'Operation cancelled.');
const badKey = resultError('unknown', '{"error":{"details":[{"reason":"API_KEY_INVALID"}]}}');
const dailyQuota = resultError('unknown', 'You have exhausted your daily quota on this model.');

describe('a turn that does not exit with 0', () => {
  it.each<[number, string, string, Facts]>([
    [1, 'CLI_CONFIG', 'the CLI prints its usage', usage],
    [1, 'INVALID_INPUT', 'a directory is missing', noDirectory],
    [1, 'SANDBOX', 'the image is missing', noImage],
    [1, 'MODEL_NOT_FOUND', 'there is no such model', { terminal: noModel }],
    [1, 'NETWORK', 'the connection fails', { terminal: noNetwork }],
    [1, 'NETWORK', 'the stream cannot be read', { terminal: badStream }],
    [1, 'UNKNOWN', 'the error is a new one', { terminal: resultError('unknown', 'odd') }],
    [1, 'INCOMPLETE', 'there is no reason', {}],
    [41, 'AUTH', 'there is no key', { wireEvents: 0 }],
    [42, 'INVALID_INPUT', 'there is no input', { wireEvents: 0 }],
    [44, 'SANDBOX', 'there is no sandbox command', { wireEvents: 0 }],
    [52, 'CLI_CONFIG', 'the settings are not JSON', { wireEvents: 0 }],
    [53, 'TURN_LIMIT', 'there were too many turns', { terminal: tooManyTurns }],
    [54, 'TOOL_FAILED', 'the disk is full', { terminal: noSpace }],
    [54, 'TOOL_FAILED', 'a tool failed', { toolCalls: [failedWith('no_space_left')] }],
    [55, 'UNTRUSTED_WORKSPACE', 'the folder is not trusted', { wireEvents: 0 }],
    [126, 'CLI_NOT_FOUND', 'the CLI cannot be executed', { wireEvents: 0 }],
    [127, 'CLI_NOT_FOUND', 'there is no such program', { wireEvents: 0 }],
    [130, 'CANCELLED', 'the user typed Ctrl-C', { terminal: cancelled }],
    [137, 'INCOMPLETE', 'a shell reports a kill', {}],
  ])('with exit code %i is %s if %s', (exitCode, code, _when, facts) => {
    expect(judgeTurn({ exitCode, ...facts })).toMatchObject({ ok: false, code });
  });
});

describe('a turn that exits with an HTTP status', () => {
  it.each([
    [144, 'API_REQUEST', 400],
    [145, 'AUTH', 401],
    [147, 'AUTH', 403],
    [173, 'RATE_LIMITED', 429],
    [244, 'API_UNAVAILABLE', 500],
    [246, 'API_UNAVAILABLE', 502],
    [247, 'API_UNAVAILABLE', 503],
  ])('with exit code %i is %s, with and without a result', (exitCode, code, httpStatus) => {
    const terminal = resultError('unknown', '[API Error: no]');
    expect(judgeTurn({ exitCode, terminal })).toMatchObject({ code, httpStatus });
    expect(judgeTurn({ exitCode })).toMatchObject({ code, httpStatus });
  });

  it('is AUTH if the result names an invalid key', () => {
    expect(judgeTurn({ exitCode: 144, terminal: badKey })).toMatchObject({
      code: 'AUTH',
      httpStatus: 400,
    });
  });

  it('is QUOTA_EXHAUSTED if result or stderr names the daily quota', () => {
    const stderr = 'TerminalQuotaError: You have exhausted your daily quota';
    expect(judgeTurn({ exitCode: 173, terminal: dailyQuota })).toMatchObject({
      code: 'QUOTA_EXHAUSTED',
    });
    expect(judgeTurn({ exitCode: 173, stderr })).toMatchObject({ code: 'QUOTA_EXHAUSTED' });
  });

  it('has the delay that its result asks for', () => {
    const terminal = resultError('unknown', '[API Error: Quota exceeded. Please retry in 2s.]');
    expect(judgeTurn({ exitCode: 173, terminal })).toMatchObject({ retryAfterMs: 2_000 });
  });
});

describe('a result with an error', () => {
  it('counts more than the exit code', () => {
    expect(judgeTurn({ exitCode: 41, terminal: tooManyTurns })).toMatchObject({
      code: 'TURN_LIMIT',
    });
  });

  it('counts more than stderr', () => {
    const stderr = 'Please set an Auth method';
    expect(judgeTurn({ exitCode: 1, terminal: noNetwork, stderr })).toMatchObject({
      code: 'NETWORK',
    });
  });

  it('is judged by the exit code and then by stderr if it has no code', () => {
    const terminal = resultError('unknown', 'odd');
    const stderr = 'TerminalQuotaError: gone';
    expect(judgeTurn({ exitCode: 44, terminal, stderr })).toMatchObject({ code: 'SANDBOX' });
    expect(judgeTurn({ exitCode: 1, terminal, stderr })).toMatchObject({ code: 'QUOTA_EXHAUSTED' });
  });
});
