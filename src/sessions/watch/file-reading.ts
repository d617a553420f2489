import type { SessionDiagnostic, SessionHeader, SessionMessage } from '../../api/session.js';

/** Changes found by one reading of a session file. */
export interface FileReading {
  /** Messages that were written, in order. Some may be unchanged. */
  readonly written: readonly SessionMessage[];
  readonly removed: readonly string[];
  /** True if `written` has all messages: known messages that are not in it were removed. */
  readonly isEverything: boolean;
  readonly header: SessionHeader | undefined;
  readonly problems: readonly SessionDiagnostic[];
}
