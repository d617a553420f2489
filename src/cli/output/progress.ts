import type { AgentEvent } from '../../api/agent-event.js';
import type { ProviderErrorData } from '../../api/error.js';
import type { MissingExpectation } from '../../api/expectations.js';
import type { GenerateResult, StepOutput } from '../../api/result.js';
import { cleanName } from '../../base/text/clean-text.js';
import { countOf } from '../../base/text/count-of.js';
import { describeCost } from '../../base/usage/describe-cost.js';
import type { Paint } from './output.js';
import { describePlanProblems } from './plan-problems.js';
import { describeHint, type HintCommand, rewriteHint } from './terminal-hint.js';

/**
 * Returns the progress line of an event; undefined for an event that is not printed. On a terminal, whose width is given,
 * long arguments and messages are shortened. In a pipe or a file they are whole.
 */
export function describeEvent(
  event: AgentEvent,
  paint: Paint,
  columns?: number,
): string | undefined {
  const shorten = (text: string) => toLine(text, columns);
  switch (event.type) {
    case 'session-init':
      return paint.dim(
        cleanName(`Session ${event.sessionId}${event.model ? ` · ${event.model}` : ''}`),
      );
    case 'tool-invocation':
      return `${paint.cyan('→')} ${cleanName(event.toolName)} ${paint.dim(shorten(describeInput(event.input)))}`;
    case 'tool-completion':
      if (!event.isError) return `${paint.green('✓')} ${cleanName(event.toolName ?? event.callId)}`;
      return `${paint.red('✗')} ${cleanName(event.toolName ?? event.callId)} ${shorten(event.error?.message ?? '')}`;
    case 'worker-assigned':
      return paint.dim(
        cleanName(
          `Worker ${event.worker} on ${event.host}${event.attempt > 1 ? `, attempt ${event.attempt}` : ''}`,
        ),
      );
    case 'session-status':
      return `${paint.yellow('!')} ${shorten(event.message)}`;
    default:
      return undefined;
  }
}

function describeInput(input: Readonly<Record<string, unknown>>): string {
  const main =
    input['file_path'] ??
    input['command'] ??
    input['dir_path'] ??
    input['pattern'] ??
    input['query'];
  return typeof main === 'string' ? main : '';
}

function toLine(text: string, columns: number | undefined): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const longest = columns === undefined ? Number.POSITIVE_INFINITY : Math.max(columns, 160);
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

/** Returns the files with their diffs, the denied tools, the warnings, and the usage of a step. */
export function describeResult(result: GenerateResult, paint: Paint): string {
  return [...describeOutput(result, paint), paint.dim(describeUsage(result))].join('\n');
}

/** Returns the output of a failed step, its error, and the hint for a reader of a terminal. */
export function describeFailure(
  error: ProviderErrorData,
  paint: Paint,
  command: HintCommand = 'run',
): string {
  const [hint, ...details] = describeHint(error, command, paint);
  const facts = [
    // The error of a whole batch is about its start: nothing was tried that could be tried again.
    ...(command === 'batch' ? [] : [error.retryable ? 'retryable' : 'not retryable']),
    ...(error.retryAfterMs === undefined ? [] : [`after ${error.retryAfterMs} ms`]),
    ...(error.exitCode === undefined ? [] : [`exit ${error.exitCode}`]),
    ...(error.sessionId === undefined ? [] : [`session ${error.sessionId}`]),
  ];
  const { problems = [] } = error;
  const located = describePlanProblems(problems, paint);
  // Problems with their files stand above, one per line; the message would repeat them.
  const message =
    located.length > 0 && located.length === problems.length
      ? `${countOf(problems.length, 'problem')} in the configuration`
      : error.message;
  return [
    ...(error.partial === undefined ? [] : describeOutput(error.partial, paint)),
    ...located,
    ...(error.missing ?? []).flatMap((missing) => describeMissing(missing, paint)),
    `${paint.red(error.code)} ${message}${facts.length === 0 ? '' : ` ${paint.dim(`(${facts.join(', ')})`)}`}`,
    `${paint.yellow('→')} ${hint}`,
    ...details,
  ].join('\n');
}

function describeMissing({ message, detail }: MissingExpectation, paint: Paint): string[] {
  const lines = detail === undefined ? [] : detail.split('\n');
  return [
    `${paint.yellow('Missing:')} ${message}`,
    ...lines.map((line) => paint.dim(`    ${line}`)),
  ];
}

const KIND_SIGNS = { created: '+', modified: '~', deleted: '-', unchanged: '=' } as const;

function describeOutput(output: StepOutput, paint: Paint): string[] {
  const lines: string[] = [];
  for (const file of output.files) {
    const doubt = file.confirmed ? '' : paint.red(' (not confirmed on the disk)');
    const remark =
      file.sensitive === undefined ? '' : paint.yellow(` (sensitive: ${file.sensitive})`);
    lines.push(
      `${paint.bold(`${KIND_SIGNS[file.kind]} ${cleanName(file.path)}`)} ${paint.dim(`${file.kind}, ${file.bytes} bytes, ${cleanName(file.tools.join(', '))}`)}${doubt}${remark}`,
    );
    if (file.diff !== undefined) lines.push(paintDiff(file.diff, paint));
  }
  for (const denied of output.deniedTools) {
    const hint = rewriteHint(denied.hint, 'run');
    lines.push(`${paint.yellow('Denied')} ${cleanName(denied.tool)}: ${hint}`);
  }
  for (const warning of output.warnings)
    lines.push(`${paint.yellow('Warning:')} ${cleanName(warning.message)}`);
  if (output.artifactsDir !== undefined) lines.push(`Artifacts: ${output.artifactsDir}`);
  return lines;
}

function paintDiff(diff: string, paint: Paint): string {
  return diff
    .trimEnd()
    .split('\n')
    .map((line) => {
      if (line.startsWith('@@')) return `    ${paint.cyan(line)}`;
      if (/^(\+\+\+|---) /.test(line)) return `    ${paint.dim(line)}`;
      if (line.startsWith('+')) return `    ${paint.green(line)}`;
      return `    ${line.startsWith('-') ? paint.red(line) : line}`;
    })
    .join('\n');
}

function describeUsage({ usage, cost, durationMs, sessionId, repairs }: GenerateResult): string {
  const tokens =
    usage === undefined
      ? 'usage unknown'
      : `${countOf(usage.total, 'token')} (${usage.input} in, ${usage.output} out, ${usage.thoughts} thoughts, ${usage.cached} cached), ${countOf(usage.toolCalls, 'tool call')}, ${Object.keys(usage.models).join(', ')}`;
  const price = cost === undefined ? '' : ` · ${describeCost(cost)}`;
  const repaired = repairs === 0 ? '' : ` · repairs: ${repairs}`;
  return `${tokens}${price} · ${(durationMs / 1000).toFixed(1)} s${repaired} · session ${sessionId ?? 'unknown'}`;
}
