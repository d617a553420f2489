/** Why a running attempt is ended from outside. The abort signal of the attempt carries it. */
export type AttemptEnd =
  | { readonly kind: 'cancelled'; readonly reason: string }
  | {
      readonly kind: 'lost';
      /** Why this worker has no right to the job any more. */
      readonly why: string;
    }
  | { readonly kind: 'returned' };

/** BullMQ knows these errors by name or message, so that this package needs no class of BullMQ to throw them. */
const NAMES = { final: 'UnrecoverableError', waiting: 'WaitingError' } as const;
const RATE_LIMIT_MESSAGE = 'bullmq:rateLimitExceeded';

/** Creates the error that fails a job. A final one is not tried again. */
export function createJobFailure(message: string, isFinal: boolean): Error {
  const error = new Error(message);
  if (isFinal) error.name = NAMES.final;
  // BullMQ keeps the stack of an error, which would contain the message once more.
  error.stack = error.name;
  return error;
}

/** Creates the error after which BullMQ leaves a job alone that is back in the queue. */
export function createWaitingError(): Error {
  const error = new Error('The job is back in the queue');
  error.name = NAMES.waiting;
  return error;
}

/** Creates the error after which BullMQ puts the job back without using up an attempt. */
export function createRateLimitError(): Error {
  return new Error(RATE_LIMIT_MESSAGE);
}
