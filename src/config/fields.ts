import { z } from 'zod';

/** Longest delay of a Node timer. A longer one fires at once. */
const LONGEST_TIMER_SECONDS = 2_147_483;

export const secondsField = z
  .number()
  .positive('must be greater than 0 (seconds)')
  .max(LONGEST_TIMER_SECONDS, `must be at most ${LONGEST_TIMER_SECONDS} (seconds)`);

export const textField = z.string().min(1, 'must not be empty');
