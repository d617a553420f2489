import { describe, expect, it } from 'vitest';
import {
  codeOfExitCode,
  httpStatusOfExitCode,
} from '../../../src/agents/verdict/cli-exit-codes.js';
import { loadRecording } from '../../fixtures/recordings.js';

/** Fatal exits of the real CLI: the exit code, and the expected code of the error. */
const recorded = [
  'fatal_41_no_auth',
  'fatal_42_no_input',
  'fatal_44_no_sandbox',
  'fatal_52_bad_settings',
  'max_turns',
  'fatal_no_space',
  'fatal_55_untrusted',
].map((name) => {
  const { exitCode = Number.NaN, truth } = loadRecording(name);
  return [exitCode, truth.code] as const;
});

describe('an exit code of the CLI', () => {
  it.each([
    ...recorded,
    // No recording ends with these.
    [126, 'CLI_NOT_FOUND'],
    [127, 'CLI_NOT_FOUND'],
    [130, 'CANCELLED'],
  ] as const)('%i means %s', (exitCode, code) => {
    expect(codeOfExitCode(exitCode)).toBe(code);
  });

  it.each([0, 1, 2, 43, 144, 173, 255])('%i alone means nothing', (exitCode) => {
    expect(codeOfExitCode(exitCode)).toBeUndefined();
  });
});

describe('the HTTP status in an exit code', () => {
  it.each([
    [144, 400],
    [145, 401],
    [147, 403],
    [148, 404],
    [173, 429],
    [244, 500],
    [246, 502],
    [247, 503],
    [255, 511],
  ])('is 256 more than %i', (exitCode, status) => {
    expect(httpStatusOfExitCode(exitCode)).toBe(status);
  });

  it.each([0, 1, 41, 55, 127, 130, 137, 143, 256])('is undefined for %i', (exitCode) => {
    expect(httpStatusOfExitCode(exitCode)).toBeUndefined();
  });
});
