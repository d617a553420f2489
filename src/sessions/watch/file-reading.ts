import type { SessionDiagnostic, SessionHeader, SessionMessage } from '../../api/session.js';

/** The changes that one reading of a session file has found. */
export interface FileReading {
  /** Messages that were written, in order; some may be as they were before. */
  readonly written: readonly SessionMessage[];
  readonly removed: readonly string[];
  /** True where `written` is all there is: what was known and is not in it is gone. */
  readonly isEverything: boolean;
  readonly header: SessionHeader | undefined;
  readonly problems: readonly SessionDiagnostic[];
}
