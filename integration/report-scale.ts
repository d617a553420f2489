import type { BatchReport } from '../src/api/batch-report.js';
import type { StepReport } from '../src/api/step-report.js';
import { anAttempt, aReport, aStep, at, usageOf } from '../test/batch/report/report-builder.js';

const LANES = 8;
const FAILS_EVERY = 37;
const RETRIES_EVERY = 11;

/** Creates a report of many short steps without files: what a batch of any size has. */
export function createScaleReport(stepCount: number): BatchReport {
  const steps = Array.from({ length: stepCount }, (_, index) => createStep(index));
  const seconds = Math.ceil(stepCount / LANES) * 40 + 60;
  return aReport(steps, {
    name: `${stepCount} steps`,
    endedAt: at(seconds),
    durationMs: seconds * 1000,
  });
}

/** Id of a step of the report. */
export function scaleStepId(index: number): string {
  return `translate[page-${String(index).padStart(6, '0')}]`;
}

function createStep(index: number): StepReport {
  const lane = index % LANES;
  const from = Math.floor(index / LANES) * 40 + lane * 3;
  const length = 14 + ((index * 7) % 20);
  const fails = index % FAILS_EVERY === 5;
  const usage = usageOf({ 'gemini-2.5-flash': 8_000 + ((index * 977) % 30_000) });
  const last = anAttempt(from + 8, from + 8 + length, {
    lane,
    outcome: fails ? 'TIMEOUT' : 'succeeded',
    usage,
    sessionId: `session-${index}`,
    generationId: `generation-${index}`,
  });
  const first = anAttempt(from, from + 6, { lane, outcome: 'RATE_LIMITED' });
  return aStep(scaleStepId(index), {
    planId: 'translate',
    state: fails ? 'failed' : 'succeeded',
    prompt: `Translate page ${index} and keep its headings.`,
    text: `Page ${index} is translated.`,
    attempts: index % RETRIES_EVERY === 3 ? [first, { ...last, number: 2 }] : [last],
    durationMs: length * 1000,
    usage,
  });
}
