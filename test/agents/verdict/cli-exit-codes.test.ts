import { describe, expect, it } from 'vitest';
import {
  codeOfExitCode,
  httpStatusOfExitCode,
} from '../../../src/agents/verdict/cli-exit-codes.js';

describe('an exit code of the CLI', () => {
  it.each([
    [41, 'AUTH'],
    [42, 'INVALID_INPUT'],
    [44, 'SANDBOX'],
    [52, 'CLI_CONFIG'],
    [53, 'TURN_LIMIT'],
    [54, 'TOOL_FAILED'],
    [55, 'UNTRUSTED_WORKSPACE'],
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
