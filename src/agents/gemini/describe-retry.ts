import type { SessionStatusEvent } from '../../api/agent-event.js';
import type { StepStopReason } from '../verdict/verdict.js';
import type { RetryNotice } from './retry-notice.js';

export interface RetryMeaning {
  /** Shows the retry to the caller: it would otherwise be minutes of silence. */
  readonly event: SessionStatusEvent;
  /** Set where `maxCliAttempts` is reached: the turn is to be stopped. */
  readonly stopReason: StepStopReason | undefined;
}

/** Turns a retry of the CLI into an event and, at the limit of attempts, into the end of the turn. */
export function describeRetry(
  { attempt, text, delayMs, httpStatus }: RetryNotice,
  maxAttempts: number | undefined,
): RetryMeaning {
  const [message = text] = text.split('\n', 1);
  const isLast = maxAttempts !== undefined && attempt >= maxAttempts;
  return {
    event: { type: 'session-status', status: 'retrying', message, attempt, delayMs, httpStatus },
    stopReason: isLast
      ? { kind: 'attempts', attempts: attempt, text, httpStatus, delayMs }
      : undefined,
  };
}
