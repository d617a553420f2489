import { relative } from 'node:path';
import type { BatchReport } from '../../api/batch-report.js';
import type { StepReport } from '../../api/step-report.js';
import { isInside, toSlashes } from '../../base/fs/paths.js';
import { describeCost } from '../../base/usage/describe-cost.js';

/** GitHub shows ten annotations of each level per step of a job. */
const MOST_ANNOTATIONS = 10;
const LONGEST_MESSAGE = 4_000;
const MOST_ROWS = 100;
const LONGEST_SUMMARY = 256 * 1024;

/** Returns workflow commands of GitHub Actions: an error for each failed step, a warning for each warning of the batch. */
export function githubAnnotations(report: BatchReport, workspace: string | undefined): string {
  const file = planFileOf(report, workspace);
  const failed = report.steps.filter(({ state }) => state === 'failed');
  const errors = failed.map((step) => command('error', { file, title: step.id }, whyFailed(step)));
  const { stop } = report;
  const warnings = [
    ...(stop === undefined
      ? []
      : [{ code: `Batch stopped: ${stop.reason}`, message: stop.message }]),
    ...report.warnings,
  ].map(({ code, message }) => command('warning', { file, title: code }, message));
  return [...limit('error', errors), ...limit('warning', warnings)].join('');
}

/** Leaves out what GitHub would not show, and says how many there are. */
function limit(level: Level, lines: readonly string[]): readonly string[] {
  if (lines.length <= MOST_ANNOTATIONS) return lines;
  const shown = lines.slice(0, MOST_ANNOTATIONS - 1);
  const left = lines.length - shown.length;
  const rest = `${left} more. The report of the batch lists them all.`;
  return [...shown, command(level, { title: `${left} more` }, rest)];
}

type Level = 'error' | 'warning';

function command(
  level: Level,
  properties: Readonly<Record<string, string | undefined>>,
  message: string,
): string {
  const given = Object.entries(properties)
    .flatMap(([key, value]) => (value === undefined ? [] : `${key}=${escapeProperty(value)}`))
    .join(',');
  const head = given === '' ? `::${level}` : `::${level} ${given}`;
  return `${head}::${escapeData(message.slice(0, LONGEST_MESSAGE))}\n`;
}

/** Escapes a message: a line feed in it would begin another command. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

function whyFailed({ error }: StepReport): string {
  return error === undefined ? 'The step failed' : `${error.code}: ${error.message}`;
}

/** Returns the path of the plan in the repository. Undefined for a plan elsewhere, which GitHub cannot link. */
function planFileOf({ runs }: BatchReport, workspace: string | undefined): string | undefined {
  const planFile = runs.at(-1)?.environment?.planFile;
  if (planFile === undefined || workspace === undefined || workspace === '') return undefined;
  return isInside(workspace, planFile) ? toSlashes(relative(workspace, planFile)) : undefined;
}

/** Returns the summary of a batch in Markdown, for the page of a job. */
export function githubSummary(report: BatchReport): string {
  const { name, outcome, counts, steps, usage, cost, stop } = report;
  const price = cost === undefined ? '' : ` · ${describeCost(cost)}`;
  const states = Object.entries(counts).filter(([, count]) => count > 0);
  const rows = steps.filter(({ state }) => state === 'failed');
  const lines = [
    `### ${code(name)}: ${outcome}`,
    '',
    `${states.map(([state, count]) => `${count} ${state}`).join(' · ')} · ${usage.total} tokens${price}`,
    ...(stop === undefined ? [] : ['', `Stopped: ${code(stop.message)}`]),
    ...(rows.length === 0 ? [] : ['', '| failed step | error | message |', '|---|---|---|']),
    ...rows.slice(0, MOST_ROWS).map(({ id, error }) => {
      return `| ${code(id)} | ${error?.code ?? ''} | ${code(error?.message ?? '')} |`;
    }),
    ...(rows.length > MOST_ROWS ? ['', `${rows.length - MOST_ROWS} more failed steps.`] : []),
  ];
  return `${lines.join('\n').slice(0, LONGEST_SUMMARY)}\n\n`;
}

const LONGEST_CELL = 300;

/** Formats a text as code on one line, in HTML: neither Markdown nor HTML in the text has a meaning then. */
function code(text: string): string {
  const line = text.slice(0, LONGEST_CELL).replace(/\s+/g, ' ').trim();
  const escaped = line.replace(/[&<>|\\`*_[\]!$~@#:]/g, (one) => `&#${one.charCodeAt(0)};`);
  return line === '' ? '' : `<code>${escaped}</code>`;
}
