import type { Attributes, Span } from '@opentelemetry/api';
import type {
  AgentEvent,
  SessionStatusEvent,
  TurnCompleteEvent,
  WorkerAssignedEvent,
} from '../api/agent-event.js';
import type { ProviderMetadata } from '../api/response-provider.js';
import type { StepOutput } from '../api/result.js';
import { ProviderError } from '../base/errors/provider-error.js';
import { countUsage, describeSpending, describeTokens } from './count-usage.js';
import { type Recorder, traceparentOf } from './recorder.js';
import { ToolSpans } from './tool-spans.js';

/** Name of the provider in front of a queue: the agent runs in another process. */
const QUEUED = 'queued';
const GEMINI = 'gcp.gen_ai';

/** A step that begins. */
export interface StepStart {
  readonly metadata: ProviderMetadata;
  /** Parent of the step, as the caller gave it. */
  readonly traceparent: unknown;
  /** Job of the step, on a worker. */
  readonly jobId: string | undefined;
  readonly model: string | undefined;
  readonly expectsJson: boolean;
}

/** Span `invoke_agent` of one step with its tool calls, and the metrics of the step. Follows the events of the step. */
export class StepSpans {
  readonly #recorder: Recorder;
  readonly #base: Attributes;
  readonly #span: Span;
  readonly #tools: ToolSpans;
  readonly #startedMs = performance.now();
  /** False on a worker whose caller is traced, too: the caller counts the step and its tool calls. */
  readonly #isCounted: boolean;
  #waitsSince: number | undefined;
  #waitsFor: 'queue' | 'slot' = 'slot';
  #lost = 0;
  #isOver = false;

  constructor(recorder: Recorder, start: StepStart) {
    this.#recorder = recorder;
    const { traceparent, jobId, model, expectsJson } = start;
    const { name } = start.metadata;
    const isRemote = name === QUEUED;
    this.#isCounted = jobId === undefined || traceparent === undefined;
    this.#base = {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name':
        recorder.options.providerName ?? (isRemote || name === 'gemini-cli' ? GEMINI : name),
      'gen_ai.agent.name': name,
    };
    const parent = recorder.contextOf(traceparent);
    this.#span = recorder.startSpan(`invoke_agent ${name}`, parent, {
      isRemote,
      attributes: {
        ...this.#base,
        'gen_ai.output.type': expectsJson ? 'json' : 'text',
        ...(model !== undefined && { 'gen_ai.request.model': model }),
        ...(jobId !== undefined && { 'gemini_cli_provider.job.id': jobId }),
      },
    });
    this.#tools = new ToolSpans(recorder, recorder.inside(this.#span, parent));
  }

  /** The `traceparent` of the span, for what the step calls. Undefined without an SDK. */
  get traceparent(): string | undefined {
    return traceparentOf(this.#span);
  }

  accept(event: AgentEvent): void {
    if (this.#isOver) return;
    this.#endWait(event);
    switch (event.type) {
      case 'session-init':
        this.#span.setAttribute('gen_ai.conversation.id', event.sessionId);
        if (event.model !== undefined) this.#span.setAttribute('gen_ai.request.model', event.model);
        break;
      case 'user-input':
        if (!event.isSynthetic) this.#recordText('gen_ai.input.messages', 'user', event.text);
        break;
      case 'tool-invocation':
        if (this.#isCounted) this.#tools.begin(event);
        break;
      case 'tool-completion':
        this.#tools.end(event);
        break;
      case 'session-status':
        this.#noteStatus(event);
        break;
      case 'worker-assigned':
        this.#noteWorker(event);
        break;
      case 'turn-complete':
        this.#complete(event);
        break;
    }
  }

  /** Ends the span of a step that ended without `turn-complete`: with an error, or because the caller left the loop. */
  end(thrown?: unknown): void {
    if (this.#isOver) return;
    const error = ProviderError.isInstance(thrown) ? thrown : undefined;
    const code = error?.code ?? (thrown === undefined ? 'CANCELLED' : 'UNKNOWN');
    this.#finish(error?.partial, code, error?.message);
  }

  #noteStatus({
    status,
    attempt,
    delayMs,
    httpStatus,
    waitsFor = 'slot',
  }: SessionStatusEvent): void {
    if (status === 'waiting') {
      this.#waitsSince = performance.now();
      this.#waitsFor = waitsFor;
    }
    if (status === 'retrying') this.#countRetries('request', 1);
    if (status === 'repairing') this.#countRetries('repair', 1);
    this.#span.addEvent(`gemini_cli_provider.${status}`, {
      ...(attempt !== undefined && { attempt }),
      ...(delayMs !== undefined && { delay_ms: delayMs }),
      ...(httpStatus !== undefined && { http_status: httpStatus }),
      ...(status === 'waiting' && { waits_for: waitsFor }),
    });
  }

  /** The event after `waiting` ends the wait. A worker tells itself how long the job waited. */
  #endWait({ type }: AgentEvent): void {
    if (this.#waitsSince === undefined) return;
    if (type !== 'worker-assigned') this.#recordWait(performance.now() - this.#waitsSince);
    this.#waitsSince = undefined;
  }

  #recordWait(ms: number): void {
    if (!this.#isCounted) return;
    const attributes = { ...this.#base, 'gemini_cli_provider.waits_for': this.#waitsFor };
    this.#recorder.instruments.wait.record(ms / 1_000, attributes);
  }

  #noteWorker({ jobId, worker, host, attempt, waitMs, lost }: WorkerAssignedEvent): void {
    // The step begins again: what the worker before has called is void.
    this.#tools.endAll('worker_lost');
    this.#waitsFor = 'queue';
    this.#recordWait(waitMs);
    this.#countRetries('worker', lost.length - this.#lost);
    this.#lost = lost.length;
    this.#span.setAttributes({
      'gemini_cli_provider.job.id': jobId,
      'gemini_cli_provider.job.attempt': attempt,
      'gemini_cli_provider.job.wait_ms': waitMs,
      'gemini_cli_provider.worker.name': worker,
      'gemini_cli_provider.worker.host': host,
    });
  }

  #countRetries(kind: string, count: number): void {
    if (!this.#isCounted || count <= 0) return;
    const attributes = { ...this.#base, 'gemini_cli_provider.retry.kind': kind };
    this.#recorder.instruments.retries.add(count, attributes);
  }

  #complete({ result, error, usage }: TurnCompleteEvent): void {
    const output = result ?? error?.partial;
    this.#finish(output ?? (usage && { usage }), error?.code, error?.message);
  }

  #finish(output: Partial<StepOutput> | undefined, code?: string, message?: string): void {
    this.#isOver = true;
    const { instruments } = this.#recorder;
    this.#tools.endAll('no_result');
    const usage = output?.usage;
    const failure = code === undefined ? {} : { 'error.type': code };
    const seconds = (performance.now() - this.#startedMs) / 1_000;
    if (this.#isCounted) {
      instruments.stepDuration.record(seconds, { ...this.#base, ...failure });
      if (usage) countUsage(instruments, { usage, estimate: output?.cost }, this.#base);
    }
    this.#span.setAttributes({
      ...(output && describeOutput(output)),
      ...(usage && describeTokens(usage)),
      ...describeSpending(output?.cost),
    });
    this.#recordText('gen_ai.output.messages', 'assistant', output?.text);
    if (code === undefined) this.#span.end();
    else this.#recorder.fail(this.#span, code, message);
  }

  #recordText(name: string, role: 'user' | 'assistant', text: string | undefined): void {
    const content = this.#recorder.cut(text);
    if (content === undefined) return;
    this.#span.setAttribute(name, JSON.stringify([{ role, parts: [{ type: 'text', content }] }]));
  }
}

/** Returns what a step did as attributes: ids and numbers, no content. */
function describeOutput(output: Partial<StepOutput>): Attributes {
  const [model] = Object.entries(output.usage?.models ?? {}).sort(
    ([, a], [, b]) => b.total - a.total,
  );
  return {
    'gen_ai.conversation.id': output.sessionId,
    'gen_ai.agent.version': output.cliVersion,
    'gen_ai.response.model': model?.[0],
    'gemini_cli_provider.generation_id': output.generationId,
    'gemini_cli_provider.transport': output.transport,
    'gemini_cli_provider.files': output.files?.length,
    'gemini_cli_provider.denied_tools': output.deniedTools?.length,
    'gemini_cli_provider.warnings': output.warnings?.map(({ code }) => code),
    'gemini_cli_provider.repairs': output.repairs,
  };
}
