import type { Finding } from '../../api/diagnosis.js';
import type { ErrorCode } from '../../api/error.js';

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
