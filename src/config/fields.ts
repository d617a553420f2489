import { z } from 'zod';
import { LONGEST_TIMER_SECONDS } from '../base/process/longest-timer.js';

export const secondsField = z
  .number()
  .positive('must be greater than 0 (seconds)')
  .max(LONGEST_TIMER_SECONDS, `must be at most ${LONGEST_TIMER_SECONDS} (seconds)`);

export const textField = z.string().min(1, 'must not be empty');
