import type { ErrorCode } from '../../api/error.js';

/** Fatal exit codes of the CLI, with the two codes (126, 127) of a shell that cannot run a program. */
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

/** Restores the HTTP status from an exit code: the CLI exits with the status, and the system keeps its low 8 bits. */
export function httpStatusOfExitCode(exitCode: number): number | undefined {
  const status = exitCode + 256;
  return status >= 400 && status <= 511 ? status : undefined;
}
