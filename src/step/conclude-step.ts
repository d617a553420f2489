import { stripVTControlCharacters } from 'node:util';
import type { Failure } from '../agents/verdict/verdict.js';
import type { AgentEvent } from '../api/agent-event.js';
import type { GenerateResult, StepOutput } from '../api/result.js';
import { ProviderError } from '../base/errors/provider-error.js';
import { redactOutput } from './redact-step.js';
import type { EvaluatedStep, Step } from './step.js';
import { logEnd } from './step-log.js';

const STDERR_CHARACTERS = 4_000;

/** Yields the last event of a step. For a failed step it then throws the error. */
export async function* concludeStep(
  step: Step,
  evaluated: EvaluatedStep,
): AsyncGenerator<AgentEvent, void> {
  const { resolved } = step;
  const output = redactOutput(evaluated.output, resolved.redactor);
  const { usage, durationMs, warnings } = output;
  const raw = evaluated.raw === undefined ? {} : { raw: resolved.redactor.value(evaluated.raw) };
  for (const { code, message } of warnings) resolved.logger.warn({ code }, message);
  if (evaluated.verdict.ok) {
    const result = toResult(output, evaluated.data, step.context);
    logEnd(resolved.logger, output);
    const subtype = 'success';
    yield { type: 'turn-complete', subtype, isError: false, usage, durationMs, ...raw, result };
    return;
  }
  const error = toError(evaluated.verdict, step, evaluated);
  logEnd(resolved.logger, output, error);
  yield {
    type: 'turn-complete',
    subtype: error.code,
    isError: true,
    usage,
    durationMs,
    ...raw,
    error: error.toJSON(),
  };
  throw error;
}

function toResult(output: StepOutput, data: unknown, context: Step['context']): GenerateResult {
  const written = output.files.filter(({ sha256After }) => sha256After !== undefined);
  return {
    ...output,
    ...(data === undefined ? {} : { data }),
    filesWritten: Object.fromEntries(written.map(({ path }) => [path, null])),
    context,
  };
}

function toError(
  failure: Failure,
  { resolved, signal: caller }: Step,
  { exit, output }: EvaluatedStep,
): ProviderError {
  const { exitCode, signal, stderr, stopReason } = exit;
  // Redact before cutting: half of a secret would not be recognised.
  const redacted = resolved.redactor.text(stripVTControlCharacters(stderr));
  const tail = redacted.slice(-STDERR_CHARACTERS).trim();
  // Redact all fields: errors are shown and logged as a whole.
  const isCancelled = failure.code === 'CANCELLED' && caller?.aborted === true;
  return new ProviderError({
    ...resolved.redactor.value({
      ...failure,
      // If this package stopped the process, its exit code says nothing about the cause.
      exitCode: stopReason === undefined ? exitCode : undefined,
      signal: stopReason === undefined ? signal : undefined,
      stderrTail: tail === '' ? undefined : tail,
      generationId: output.generationId,
      sessionId: output.sessionId,
      partial: output,
    }),
    // The reason is the caller's own value and may be anything, so it is not redacted.
    cause: isCancelled ? caller.reason : undefined,
  });
}
