import type { SessionStatusEvent } from '../../api/agent-event.js';
import type { StepStopReason } from '../verdict/verdict.js';
import type { RetryNotice } from './retry-notice.js';

export interface RetryMeaning {
  /** Event that shows the retry to the caller, who would otherwise see nothing for minutes. */
  readonly event: SessionStatusEvent;
  /** Set if `maxCliAttempts` is reached: the turn must be stopped. */
  readonly stopReason: StepStopReason | undefined;
}

/** End of the notice after which the CLI itself does not repeat the request. */
const GIVEN_UP = /Max attempts reached/;

/** Turns a retry of the CLI into an event and, at the limit of attempts, into a stop reason. */
export function describeRetry(
  { attempt, text, delayMs, httpStatus }: RetryNotice,
  maxAttempts: number | undefined,
): RetryMeaning {
  const [message = text] = text.split('\n', 1);
  const isLast = maxAttempts !== undefined && attempt >= maxAttempts;
  // After the last attempt nothing is retried: `error` if this package ends the turn, `warning` if the CLI goes on.
  const status = isLast ? 'error' : GIVEN_UP.test(text) ? 'warning' : 'retrying';
  return {
    event: { type: 'session-status', status, message, attempt, delayMs, httpStatus },
    stopReason: isLast
      ? { kind: 'attempts', attempts: attempt, text, httpStatus, delayMs }
      : undefined,
  };
}
