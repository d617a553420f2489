import type { BatchFile, BatchReport } from '../src/api/batch-report.js';
import type { StepReport } from '../src/api/step-report.js';
import {
  aFile,
  anAttempt,
  aReport,
  aStep,
  at,
  usageOf,
} from '../test/batch/report/report-builder.js';

const LANES = 8;
const FAILS_EVERY = 37;
const RETRIES_EVERY = 11;

/** Creates a report of many short steps without files: what a batch of any size has. */
export function createScaleReport(stepCount: number): BatchReport {
  return reportOf(Array.from({ length: stepCount }, (_, index) => createStep(index)));
}

/** Creates a report of many steps with longer texts, each of which has written a file. */
export function createFullReport(stepCount: number): BatchReport {
  const steps = Array.from({ length: stepCount }, (_, index) => {
    const step = createStep(index);
    const diff = `@@ -0,0 +1,2 @@\n+# Page ${index}\n+${'text '.repeat(20)}\n`;
    return {
      ...step,
      prompt: `${step.prompt} ${'Keep all headings and links. '.repeat(8)}`,
      text: `${step.text} ${'I kept the headings. '.repeat(6)}`,
      files: [aFile(`docs/page-${index}.md`, { kind: 'created', diff })],
    };
  });
  const files = steps.map(({ id, files: [file] }): BatchFile => {
    const { path = '', absolutePath = '', bytes = 0 } = file ?? {};
    return { path, absolutePath, bytes, kind: 'created', steps: [id], conflicts: [] };
  });
  return { ...reportOf(steps), files };
}

function reportOf(steps: readonly StepReport[]): BatchReport {
  const seconds = Math.ceil(steps.length / LANES) * 40 + 60;
  return aReport(steps, {
    name: `${steps.length} steps`,
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
