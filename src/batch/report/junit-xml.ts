import type { BatchReport } from '../../api/batch-report.js';
import type { StepReport } from '../../api/step-report.js';

/** Characters of the text of one step, and of all steps together, in the file. */
const LONGEST_TEXT = 8_000;
const ALL_TEXTS = 16 * 1024 * 1024;
const LONGEST_MESSAGE = 2_000;

/**
 * Yields the report as JUnit XML: one suite for the batch, one case for each step. A step that did not meet its
 * expectations is a failure, any other failed step an error. Steps without a result are skipped cases.
 */
export function* junitXml(report: BatchReport): Generator<string> {
  const { name, counts, durationMs, startedAt, steps, runs } = report;
  const environment = runs.at(-1)?.environment;
  const failures = steps.filter(isFailure).length;
  const numbers = attributes({
    name,
    tests: steps.length,
    failures,
    errors: counts.failed - failures,
    skipped: steps.length - counts.succeeded - counts.failed,
    time: seconds(durationMs),
  });
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${numbers}>\n`;
  const { host: hostname } = environment ?? {};
  yield `<testsuite${numbers}${attributes({ timestamp: startedAt, hostname })}>\n`;
  if (environment !== undefined) yield `<properties>\n${properties(environment)}</properties>\n`;
  let left = ALL_TEXTS;
  for (const step of steps) {
    const text = (step.text ?? '').slice(0, Math.max(0, Math.min(LONGEST_TEXT, left)));
    left -= text.length;
    yield testCase(name, step, text);
  }
  yield '</testsuite>\n</testsuites>\n';
}

function testCase(batch: string, step: StepReport, text: string): string {
  const head = attributes({ name: step.id, classname: batch, time: seconds(step.durationMs) });
  const output = text === '' ? '' : `<system-out>${escapeXml(text)}</system-out>\n`;
  const content = jobProperties(step) + outcomeOf(step) + output;
  return content === '' ? `<testcase${head}/>\n` : `<testcase${head}>\n${content}</testcase>\n`;
}

/** Returns the worker of the last attempt, the time in the queue, and the workers that were lost. Empty without a queue. */
function jobProperties({ attempts }: StepReport): string {
  const last = attempts.at(-1);
  const lost = attempts.flatMap(({ job }) => job?.lost ?? []);
  if (last?.job === undefined) return '';
  const { jobId, worker, host } = last.job;
  const queued = attempts.reduce((sum, { job, waitedMs = 0 }) => sum + (job ? waitedMs : 0), 0);
  const facts = {
    worker,
    workerHost: host,
    jobId,
    queueSeconds: seconds(queued),
    ...(lost.length === 0 ? {} : { lostWorkers: lost.map((one) => one.worker).join(', ') }),
  };
  return `<properties>\n${properties(facts)}</properties>\n`;
}

function outcomeOf(step: StepReport): string {
  if (step.state === 'succeeded') return '';
  if (step.state !== 'failed') return `<skipped${attributes({ message: whySkipped(step) })}/>\n`;
  const tag = isFailure(step) ? 'failure' : 'error';
  const { code = 'UNKNOWN', message = '', missing = [], hint = '', stderrTail } = step.error ?? {};
  const details = [
    ...missing.map((one) => [one.message, one.detail].filter(Boolean).join('\n')),
    hint === '' ? '' : `What to do: ${hint}`,
    stderrTail,
  ];
  const shown = attributes({ type: code, message: message.slice(0, LONGEST_MESSAGE) });
  const body = details.filter(Boolean).join('\n\n').slice(0, LONGEST_TEXT);
  return `<${tag}${shown}>${escapeXml(body)}</${tag}>\n`;
}

function isFailure({ state, error }: StepReport): boolean {
  return state === 'failed' && error?.code === 'EXPECTATION_FAILED';
}

function whySkipped({ state, skip, skippedBecauseOf }: StepReport): string {
  if (skip !== undefined) return skip.message;
  return skippedBecauseOf === undefined ? state : `skipped because of ${skippedBecauseOf}`;
}

function properties(environment: object): string {
  return Object.entries(environment)
    .map(([name, value]) => `<property${attributes({ name, value: String(value) })}/>\n`)
    .join('');
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

function attributes(values: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(values)
    .map(([key, value]) => (value === undefined ? '' : ` ${key}="${escapeXml(String(value))}"`))
    .join('');
}

/** Characters that XML 1.0 does not allow, not even as a reference. Half of a surrogate pair is one of them. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Escapes a text for an element or an attribute. U+FFFD takes the place of characters that XML does not allow. */
function escapeXml(text: string): string {
  return text
    .replace(FORBIDDEN, '\ufffd')
    .replace(/[&<>"\t\n\r]/g, (character) => REFERENCES[character] ?? character);
}
