import type { SessionStatusEvent } from '../../api/agent-event.js';
import type { StepStopReason } from '../verdict/verdict.js';
import type { RetryNotice } from './retry-notice.js';

export interface RetryMeaning {
  /** Event that shows the retry to the caller, who would otherwise see nothing for minutes. */
  readonly event: SessionStatusEvent;
  /** Set if `maxCliAttempts` is reached: the turn must be stopped. */
  readonly stopReason: StepStopReason | undefined;
}

/** Turns a retry of the CLI into an event and, at the limit of attempts, into a stop reason. */
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
