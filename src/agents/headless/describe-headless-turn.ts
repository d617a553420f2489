import type { StepWarning, WarningCode } from '../../api/result.js';
import { describeRemarks } from '../events/describe-remarks.js';
import type { StatusRemark } from '../events/turn-fold.js';
import type { NoiseSort, StreamNoise } from './stream-reader.js';

const NOISE: readonly (readonly [NoiseSort, WarningCode, string])[] = [
  ['nonJsonLines', 'NON_JSON_OUTPUT', 'Lines on stdout that are not JSON'],
  ['overlongLines', 'OUTPUT_LINE_TOO_LONG', 'Lines on stdout that were too long and were dropped'],
  ['unknownEvents', 'UNKNOWN_EVENT', 'Events of an unknown type'],
  ['invalidEvents', 'INVALID_EVENT', 'Events without a required field'],
];

interface TurnRemarks {
  /** Undefined if the output is not a stream. */
  readonly noise: StreamNoise | undefined;
  readonly remarks: readonly StatusRemark[];
  readonly endedAfterResult?: boolean | undefined;
}

/** Lists the warnings about the output and the exit of a turn. */
export function describeHeadlessTurn({
  noise,
  remarks,
  endedAfterResult,
}: TurnRemarks): StepWarning[] {
  const warnings: StepWarning[] = NOISE.flatMap(([sort, code, text]) => {
    const count = noise?.[sort] ?? 0;
    if (count === 0) return [];
    return { code, count, message: `${text}: ${count}; the first: ${noise?.samples[sort] ?? ''}` };
  });
  warnings.push(...describeRemarks(remarks));
  if (endedAfterResult === true) {
    const message = 'The CLI did not exit after its result and was stopped.';
    warnings.push({ code: 'CLI_LINGERED', message });
  }
  return warnings;
}
