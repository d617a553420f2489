import type { RunWarning, WarningCode } from '../contract/result.js';
import type { RunFold } from '../events/run-fold.js';
import type { HeadlessOutcome } from '../headless/headless-run.js';
import type { StreamNoise } from '../headless/stream-reader.js';

const NOISE: readonly (readonly [Exclude<keyof StreamNoise, 'samples'>, WarningCode, string])[] = [
  ['nonJsonLines', 'NON_JSON_OUTPUT', 'lines on stdout were no JSON'],
  ['overlongLines', 'OUTPUT_LINE_TOO_LONG', 'lines on stdout were too long and were dropped'],
  ['unknownEvents', 'UNKNOWN_EVENT', 'events are of a type that this version does not know'],
  ['invalidEvents', 'INVALID_EVENT', 'events lack a field they must have'],
];

/** What the caller should know of a run besides its verdict. */
export function describeOutcome({ noise, end }: HeadlessOutcome, fold: RunFold): RunWarning[] {
  const warnings: RunWarning[] = NOISE.flatMap(([sort, code, text]) => {
    const count = noise[sort];
    if (count === 0) return [];
    return { code, count, message: `${count} ${text}; the first: ${noise.samples[sort] ?? ''}` };
  });
  const retries = fold.remarks.filter(({ status }) => status === 'retrying');
  const [firstRetry] = retries;
  if (firstRetry !== undefined) {
    warnings.push({
      code: 'CLI_RETRIED',
      count: retries.length,
      message: `The CLI tried again ${retries.length} times; the first time: ${firstRetry.message}`,
    });
  }
  for (const { status, message } of fold.remarks) {
    if (status === 'warning') warnings.push({ code: 'CLI_WARNING', message });
  }
  if (end.endedAfterResult === true) {
    const message = 'The CLI did not exit after its result and was ended.';
    warnings.push({ code: 'CLI_LINGERED', message });
  }
  return warnings;
}
