import type { Attributes, Context, Span, SpanContext } from '@opentelemetry/api';
import type {
  BatchEvent,
  BatchStartedEvent,
  StepFinishedEvent,
  StepRetryEvent,
  StepStartedEvent,
} from '../api/batch-event.js';
import type { BatchObserver } from '../api/batch-observer.js';
import type { BatchReport } from '../api/batch-report.js';
import type { ContextKeys, ResponseProvider } from '../api/response-provider.js';
import { ProviderError } from '../base/errors/provider-error.js';
import { cleanLine } from '../base/text/clean-text.js';
import { describeSpending, describeTokens } from './count-usage.js';
import { type Recorder, traceparentOf } from './recorder.js';

interface OpenStep {
  readonly span: Span;
  readonly context: Context;
  /** Attempt that runs. Undefined between two attempts. */
  attempt?: Span | undefined;
  /** Attempt before, in the same run. */
  earlier?: SpanContext | undefined;
}

/** Spans of a batch: `invoke_workflow` for the run, one span for each step, and below it one for each attempt. */
export class BatchSpans implements BatchObserver {
  readonly #recorder: Recorder;
  readonly #wrap: (provider: ResponseProvider) => ResponseProvider;
  readonly #steps = new Map<string, OpenStep>();
  #base: Attributes = {};
  #run: { readonly span: Span; readonly context: Context; readonly startedMs: number } | undefined;

  constructor(recorder: Recorder, wrap: (provider: ResponseProvider) => ResponseProvider) {
    this.#recorder = recorder;
    this.#wrap = wrap;
  }

  wrap(provider: ResponseProvider): ResponseProvider {
    return this.#wrap(provider);
  }

  contextOf(stepId: string): Pick<ContextKeys, 'traceparent'> | undefined {
    const attempt = this.#steps.get(stepId)?.attempt;
    const traceparent = attempt && traceparentOf(attempt);
    return traceparent === undefined ? undefined : { traceparent };
  }

  onEvent(event: BatchEvent): void {
    switch (event.type) {
      case 'batch-started':
        this.#begin(event);
        break;
      case 'step-started':
        this.#beginAttempt(event);
        break;
      case 'step-waiting':
        this.#steps.get(event.stepId)?.attempt?.addEvent('gemini_cli_provider.waiting', {
          waits_for: event.waitsFor,
        });
        break;
      case 'step-retry':
        this.#retry(event);
        break;
      case 'step-finished':
        this.#endStep(event);
        break;
      case 'stopping':
        this.#run?.span.addEvent('gemini_cli_provider.stopping', { reason: event.stop.reason });
        break;
      case 'paused':
        this.#run?.span.addEvent('gemini_cli_provider.paused', { cause: event.cause });
        break;
      case 'batch-finished':
        this.#finish(event.report);
        break;
    }
  }

  onEnd(error?: unknown): void {
    if (this.#run === undefined) return;
    const code = ProviderError.isInstance(error) ? error.code : 'UNKNOWN';
    this.#end(code, error instanceof Error ? error.message : undefined);
  }

  #begin({ name, planHash, steps, isFresh }: BatchStartedEvent): void {
    const parent = this.#recorder.contextOf(undefined);
    const workflow = cleanLine(name).slice(0, 100);
    this.#base = {
      'gen_ai.operation.name': 'invoke_workflow',
      'gen_ai.workflow.name': workflow,
    };
    const span = this.#recorder.startSpan(`invoke_workflow ${workflow}`, parent, {
      attributes: {
        ...this.#base,
        'gemini_cli_provider.plan.hash': planHash,
        'gemini_cli_provider.plan.steps': steps.length,
        'gemini_cli_provider.is_fresh': isFresh,
      },
    });
    const context = this.#recorder.inside(span, parent);
    this.#run = { span, context, startedMs: performance.now() };
  }

  #beginAttempt({ stepId, attempt, lane, reason, model }: StepStartedEvent): void {
    const step = this.#steps.get(stepId) ?? this.#openStep(stepId);
    if (step === undefined) return;
    const { earlier } = step;
    step.attempt = this.#recorder.startSpan('attempt', step.context, {
      attributes: {
        'gemini_cli_provider.step.id': stepId,
        'gemini_cli_provider.attempt': attempt,
        'gemini_cli_provider.lane': lane,
        'gemini_cli_provider.attempt.reason': reason,
        'gen_ai.request.model': model,
      },
      links: earlier === undefined ? [] : [{ context: earlier }],
    });
  }

  #openStep(stepId: string): OpenStep | undefined {
    if (this.#run === undefined) return undefined;
    // The values of a matrix are part of the id, and would make a name for each span.
    const name = `step ${stepId.replace(/\[.*$/s, '')}`;
    const attributes = { 'gemini_cli_provider.step.id': stepId };
    const span = this.#recorder.startSpan(name, this.#run.context, { attributes });
    const step: OpenStep = { span, context: this.#recorder.inside(span, this.#run.context) };
    this.#steps.set(stepId, step);
    return step;
  }

  #retry({ stepId, code, message }: StepRetryEvent): void {
    const attributes = {
      ...this.#base,
      'gemini_cli_provider.retry.kind': 'attempt',
      'error.type': code,
    };
    this.#recorder.instruments.retries.add(1, attributes);
    const step = this.#steps.get(stepId);
    if (step?.attempt === undefined) return;
    step.earlier = step.attempt.spanContext();
    this.#recorder.fail(step.attempt, code, message);
    step.attempt = undefined;
  }

  #endStep({ stepId, report }: StepFinishedEvent): void {
    const { state, error } = report;
    const step = this.#steps.get(stepId);
    if (step === undefined) return;
    this.#steps.delete(stepId);
    step.span.setAttribute('gemini_cli_provider.step.state', state);
    const code = state === 'succeeded' ? undefined : (error?.code ?? state);
    for (const span of [step.attempt, step.span]) {
      if (span === undefined) continue;
      if (code === undefined) span.end();
      else this.#recorder.fail(span, code, error?.message);
    }
  }

  #finish({ outcome, stop, counts, usage, cost }: BatchReport): void {
    const { batchSteps } = this.#recorder.instruments;
    for (const [state, count] of Object.entries(counts)) {
      const attributes = { ...this.#base, 'gemini_cli_provider.step.state': state };
      if (count > 0) batchSteps.add(count, attributes);
    }
    this.#run?.span.setAttributes({
      'gemini_cli_provider.outcome': outcome,
      'gemini_cli_provider.stop.reason': stop?.reason,
      ...describeTokens(usage),
      ...describeSpending(cost),
    });
    this.#end(outcome === 'succeeded' ? undefined : (stop?.reason ?? outcome), stop?.message);
  }

  #end(code: string | undefined, message: string | undefined): void {
    if (this.#run === undefined) return;
    const { span, startedMs } = this.#run;
    this.#run = undefined;
    // A batch that could not go on leaves steps behind.
    for (const step of this.#steps.values())
      for (const open of [step.attempt, step.span])
        if (open !== undefined) this.#recorder.fail(open, code ?? 'UNKNOWN');
    this.#steps.clear();
    const failure = code === undefined ? {} : { 'error.type': code };
    const seconds = (performance.now() - startedMs) / 1_000;
    this.#recorder.instruments.batchDuration.record(seconds, { ...this.#base, ...failure });
    if (code === undefined) span.end();
    else this.#recorder.fail(span, code, message);
  }
}
