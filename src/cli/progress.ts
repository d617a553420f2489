import type { AgentEvent } from '../api/agent-event.js';
import type { ProviderErrorData } from '../api/error.js';
import type { MissingExpectation } from '../api/expectations.js';
import type { GenerateResult, StepOutput } from '../api/result.js';
import { cleanName } from '../base/text/clean-text.js';
import type { Paint } from './output.js';
import { describePlanProblems } from './plan-problems.js';
import { describeHint, type HintCommand, rewriteHint } from './terminal-hint.js';

const LONGEST_LINE = 160;

/** Returns the progress line of an event; undefined for an event that is not printed. */
export function describeEvent(event: AgentEvent, paint: Paint): string | undefined {
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

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
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
    error.retryable ? 'retryable' : 'not retryable',
    ...(error.retryAfterMs === undefined ? [] : [`after ${error.retryAfterMs} ms`]),
    ...(error.exitCode === undefined ? [] : [`exit ${error.exitCode}`]),
    ...(error.sessionId === undefined ? [] : [`session ${error.sessionId}`]),
  ];
  return [
    ...(error.partial === undefined ? [] : describeOutput(error.partial, paint)),
    ...describePlanProblems(error.problems ?? [], paint),
    ...(error.missing ?? []).flatMap((missing) => describeMissing(missing, paint)),
    `${paint.red(error.code)} ${error.message} ${paint.dim(`(${facts.join(', ')})`)}`,
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

function describeUsage({ usage, durationMs, sessionId, repairs }: GenerateResult): string {
  const tokens =
    usage === undefined
      ? 'usage unknown'
      : `${usage.total} tokens (${usage.input} in, ${usage.output} out, ${usage.cached} cached), ${usage.toolCalls} tool calls, ${Object.keys(usage.models).join(', ')}`;
  const repaired = repairs === 0 ? '' : ` · repairs: ${repairs}`;
  return `${tokens} · ${(durationMs / 1000).toFixed(1)} s${repaired} · session ${sessionId ?? 'unknown'}`;
}
