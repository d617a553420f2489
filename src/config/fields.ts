import { z } from 'zod';
import { LONGEST_TIMER_SECONDS } from '../base/process/longest-timer.js';
import { DURATION_FORM, renderDuration, toSeconds } from '../base/text/parse-duration.js';

const DURATION =
  'must be a number of seconds above 0, or a duration such as "90s", "5m" or "1h30m"';
/** Numbers from here on are refused as seconds of a timeout: milliseconds are more likely meant. */
const SUSPICIOUS_SECONDS = 100_000;

const DURATION_TEXT = new RegExp(`${DURATION_FORM.source}|^\\d+(?:\\.\\d+)?$`);

/** Creates the schema of a duration in seconds. The output is a number. */
function createDurationField(findProblem: (seconds: number) => string | undefined) {
  return z
    .union([z.number().meta({ exclusiveMinimum: 0 }), z.string().regex(DURATION_TEXT, DURATION)], {
      error: DURATION,
    })
    .superRefine((given, check) => {
      const message = findDurationProblem(toSeconds(given)) ?? findProblem(Number(given));
      // With `continue`, a union around this schema reports this message instead of its own.
      if (message !== undefined) check.addIssue({ code: 'custom', message, continue: true });
    })
    .transform((given) => toSeconds(given) ?? 0);
}

function findDurationProblem(seconds: number | undefined): string | undefined {
  // The pattern has refused a text that is no duration.
  if (seconds === undefined) return undefined;
  if (!(seconds > 0)) return DURATION;
  if (seconds <= LONGEST_TIMER_SECONDS) return undefined;
  return `must be at most ${LONGEST_TIMER_SECONDS} (seconds)`;
}

/** Schema of a duration that may be long, such as that of a whole batch. */
export const durationField = createDurationField(() => undefined);

/** Schema of a timeout. A large number without a unit is refused, because milliseconds are more likely meant. */
export const secondsField = createDurationField((number) => {
  if (!(number >= SUSPICIOUS_SECONDS)) return undefined;
  const shown = renderDuration(number);
  const meant = renderDuration(number / 1_000);
  return `is a number of seconds, so it means ${shown}: write "${meant}" for ${number} milliseconds, or "${shown}" if that is meant`;
});

/** Schema of a whole number with its limits. */
export function wholeField(least: number, most = Number.MAX_SAFE_INTEGER) {
  const range =
    most === Number.MAX_SAFE_INTEGER ? `, ${least} or more` : ` from ${least} to ${most}`;
  const problem = `must be a whole number${range}`;
  return z.int(problem).min(least, problem).max(most, problem);
}

export const textField = z.string().min(1, 'must not be empty');
