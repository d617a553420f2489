import type { ExpectationReport } from '../../../../api/expectations.js';
import type { StepReport } from '../../../../api/step-report.js';
import type { Transcript, TranscriptEntry, TranscriptTool } from '../../transcript/transcript.js';

/** Entries of a transcript that belong to one attempt. */
export interface AttemptTranscript {
  /** Number of the attempt. Undefined if no attempt of the report has the id of the entries. */
  readonly number: number | undefined;
  readonly entries: readonly TranscriptEntry[];
}

/** Splits a transcript by attempts, in order. */
export function splitByAttempt(
  { entries }: Transcript,
  { attempts }: StepReport,
): readonly AttemptTranscript[] {
  const numbers = new Map(attempts.map(({ generationId, number }) => [generationId, number]));
  const parts: { number: number | undefined; entries: TranscriptEntry[] }[] = [];
  for (const entry of entries) {
    const { generationId } = entry;
    const number = generationId === undefined ? undefined : numbers.get(generationId);
    const last = parts.at(-1);
    if (last !== undefined && last.number === number) last.entries.push(entry);
    else parts.push({ number, entries: [entry] });
  }
  return parts;
}

export function toolCallsOf({ entries }: Transcript): readonly TranscriptTool[] {
  return entries.filter((entry) => entry.kind === 'tool');
}

/** Returns the results of the conditions; of an older report, the conditions that its error lists as not met. */
export function expectationsOf({ expectations, error }: StepReport): readonly ExpectationReport[] {
  if (expectations !== undefined && expectations.length > 0) return expectations;
  return (error?.missing ?? []).map(({ kind, message, detail }) => {
    return { kind, name: '', passed: false, message, detail };
  });
}
