import type { ErrorCode } from '../../api/error.js';

/** Result of one check. */
export interface Finding {
  readonly check: string;
  /** `problem`: a step would fail. `note`: a step would work, but the user should know this. */
  readonly status: 'ok' | 'note' | 'problem';
  readonly message: string;
  /** Instruction for the user. */
  readonly fix?: string | undefined;
  /** Code of the error that a step would fail with, for a problem. */
  readonly code?: ErrorCode | undefined;
}

export function ok(check: string, message: string): Finding {
  return { check, status: 'ok', message };
}

export function note(check: string, message: string, fix?: string): Finding {
  return { check, status: 'note', message, fix };
}

export function problem(
  check: string,
  message: string,
  fix: string,
  code: ErrorCode = 'INVALID_CONFIG',
): Finding {
  return { check, status: 'problem', message, fix, code };
}
