import type { BatchReport, StopReason } from '../api/batch-report.js';
import type { ErrorCode } from '../api/error.js';

/** Exit code for each error code. 0 is success; 2 is also a wrong use of the command. */
export const EXIT_CODES: Readonly<Record<ErrorCode, number>> = {
  UNKNOWN: 1,
  PROTOCOL: 1,
  INVALID_CONFIG: 2,
  INVALID_INPUT: 2,
  CLI_CONFIG: 2,
  CLI_NOT_FOUND: 3,
  AUTH: 3,
  UNTRUSTED_WORKSPACE: 3,
  SANDBOX: 3,
  RATE_LIMITED: 4,
  QUOTA_EXHAUSTED: 4,
  API_REQUEST: 5,
  API_UNAVAILABLE: 5,
  MODEL_NOT_FOUND: 5,
  NETWORK: 5,
  CONTENT_BLOCKED: 6,
  EMPTY_RESPONSE: 6,
  CONTEXT_OVERFLOW: 6,
  TURN_LIMIT: 6,
  LOOP_DETECTED: 6,
  TOOL_FAILED: 6,
  HOOK_STOPPED: 6,
  EXPECTATION_FAILED: 6,
  INCOMPLETE: 7,
  TIMEOUT: 124,
  CANCELLED: 130,
};

export const USAGE_EXIT_CODE = 2;

/**
 * Exit code after the reader of the output has closed the pipe: a shell reports the same for a program ended by
 * SIGPIPE.
 */
export const BROKEN_OUTPUT_EXIT_CODE = 141;

/** Exit code after the terminal was closed (SIGHUP): a shell reports the same for a program ended by SIGHUP. */
export const HANGUP_EXIT_CODE = 129;

/** Exit code of a worker that has handed steps back to the queue when it was told to end. */
export const HANDED_BACK_EXIT_CODE = 11;

const STEPS_FAILED = 10;
const STOPPED = 11;

/** Exit code of `batch` if no step can run on this machine: CLI, login, trust, settings of the CLI, sandbox. */
const NO_STEP_CAN_RUN = 3;

const CODES_OF_STOPS: Readonly<Partial<Record<StopReason, number>>> = {
  AUTH: NO_STEP_CAN_RUN,
  UNTRUSTED_WORKSPACE: NO_STEP_CAN_RUN,
  CLI_NOT_FOUND: NO_STEP_CAN_RUN,
  CLI_CONFIG: NO_STEP_CAN_RUN,
  SANDBOX: NO_STEP_CAN_RUN,
  preflight: NO_STEP_CAN_RUN,
  QUOTA_EXHAUSTED: EXIT_CODES.QUOTA_EXHAUSTED,
};

/** Returns the exit code of a batch that ends with this error before its first step. */
export function doomedExitCode(code: ErrorCode): number {
  return code === 'CLI_CONFIG' ? NO_STEP_CAN_RUN : EXIT_CODES[code];
}

/** Returns the exit code of `batch`. */
export function batchExitCode({ outcome, stop }: BatchReport): number {
  const code = stop && CODES_OF_STOPS[stop.reason];
  if (code !== undefined) return code;
  if (outcome === 'succeeded') return 0;
  return outcome === 'failed' ? STEPS_FAILED : STOPPED;
}
