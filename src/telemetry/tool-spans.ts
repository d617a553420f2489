import type { Attributes, Context, Span } from '@opentelemetry/api';
import type { ToolCompletionEvent, ToolInvocationEvent } from '../api/tool-event.js';
import { cleanLine } from '../base/text/clean-text.js';
import type { Recorder } from './recorder.js';

interface OpenTool {
  readonly span: Span;
  readonly attributes: Attributes;
  readonly startedMs: number;
}

/** Spans `execute_tool` of one step. */
export class ToolSpans {
  readonly #recorder: Recorder;
  readonly #parent: Context;
  readonly #open = new Map<string, OpenTool>();

  constructor(recorder: Recorder, parent: Context) {
    this.#recorder = recorder;
    this.#parent = parent;
  }

  begin({ callId, toolName, category, input }: ToolInvocationEvent): void {
    // The name of a tool that does not exist is a text of the model.
    const name = cleanLine(toolName).slice(0, 100);
    const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name };
    const args = this.#recorder.cut(JSON.stringify(input));
    const span = this.#recorder.startSpan(`execute_tool ${name}`, this.#parent, {
      attributes: {
        ...attributes,
        'gen_ai.tool.call.id': callId,
        'gen_ai.tool.type': 'function',
        'gemini_cli_provider.tool.category': category,
        ...(args !== undefined && { 'gen_ai.tool.call.arguments': args }),
      },
    });
    this.#open.set(callId, { span, attributes, startedMs: performance.now() });
  }

  end({ callId, isError, error, output }: ToolCompletionEvent): void {
    const tool = this.#open.get(callId);
    if (tool === undefined) return;
    this.#open.delete(callId);
    const text = this.#recorder.cut(output);
    if (text !== undefined) tool.span.setAttribute('gen_ai.tool.call.result', text);
    this.#finish(tool, isError ? (error?.type ?? '_OTHER') : undefined, error?.message);
  }

  /** Ends the spans of calls that have no result: the step, or its worker, ended before. */
  endAll(errorType: string): void {
    for (const tool of this.#open.values()) this.#finish(tool, errorType);
    this.#open.clear();
  }

  #finish({ span, attributes, startedMs }: OpenTool, errorType?: string, message?: string): void {
    const seconds = (performance.now() - startedMs) / 1_000;
    const failure = errorType === undefined ? {} : { 'error.type': errorType };
    this.#recorder.instruments.toolDuration.record(seconds, { ...attributes, ...failure });
    if (errorType === undefined) span.end();
    else this.#recorder.fail(span, errorType, message);
  }
}
