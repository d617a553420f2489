import type { ErrorCode } from '../../api/error.js';

/** The CLI's own fatal exit codes, and the two a shell gives for a program it cannot run. */
const FATAL_EXIT_CODES: ReadonlyMap<number, ErrorCode> = new Map([
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
]);

export function codeOfExitCode(exitCode: number): ErrorCode | undefined {
  return FATAL_EXIT_CODES.get(exitCode);
}

/** The CLI exits with the HTTP status of a failed request, of which the system keeps the low eight bits. */
export function httpStatusOfExitCode(exitCode: number): number | undefined {
  const status = exitCode + 256;
  return status >= 400 && status <= 511 ? status : undefined;
}
