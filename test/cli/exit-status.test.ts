import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../src/base/errors/codes.js';
import { EXIT_CODES, USAGE_EXIT_CODE } from '../../src/cli/exit-status.js';

describe('the exit codes of the command', () => {
  it('exist for every error code, and none is 0', () => {
    expect(Object.keys(EXIT_CODES).sort()).toEqual(Object.keys(ERROR_CODES).sort());
    expect(Object.values(EXIT_CODES)).not.toContain(0);
  });

  it.each([
    [EXIT_CODES.TIMEOUT, 124],
    [EXIT_CODES.CANCELLED, 130],
    [EXIT_CODES.INVALID_CONFIG, USAGE_EXIT_CODE],
    [EXIT_CODES.AUTH, 3],
    [EXIT_CODES.RATE_LIMITED, 4],
    [EXIT_CODES.NETWORK, 5],
    [EXIT_CODES.CONTENT_BLOCKED, 6],
    [EXIT_CODES.INCOMPLETE, 7],
    [EXIT_CODES.UNKNOWN, 1],
  ])('match the help text (%i)', (code, promised) => {
    expect(code).toBe(promised);
  });
});
