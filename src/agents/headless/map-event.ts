import type { AgentEvent } from '../../api/agent-event.js';
import type { TokenCounts, Usage } from '../../api/result.js';
import { deriveMeaning } from '../events/derive-meaning.js';
import { toolCategory, toolKind } from '../gemini/gemini-tools.js';
import type { WireEvent, WireStats, WireToolResult, WireToolUse } from './headless-wire.js';

/** Maps wire events to public events. Remembers tool calls, because a tool result carries no tool name. */
export class EventMapper {
  readonly #calls = new Map<string, WireToolUse>();

  /**
   * Maps one event; `raw` is the event before validation. Returns undefined for `result`: a turn is complete only after
   * its verdict.
   */
  map(event: WireEvent, raw: unknown = event): AgentEvent | undefined {
    // Each event is one literal: spreading common fields into it would cost more than parsing its line.
    const { timestamp } = event;
    switch (event.type) {
      case 'init':
        return {
          type: 'session-init',
          timestamp,
          raw,
          sessionId: event.session_id,
          model: event.model,
        };
      case 'message':
        if (event.role === 'user') {
          return {
            type: 'user-input',
            timestamp,
            raw,
            text: event.content,
            isSynthetic: false,
          };
        }
        return {
          type: event.delta === true ? 'text-delta' : 'text',
          timestamp,
          raw,
          text: event.content,
          textKind: 'text',
        };
      case 'tool_use':
        return this.#mapToolUse(event, raw);
      case 'tool_result':
        return this.#mapToolResult(event, raw);
      case 'error':
        return {
          type: 'session-status',
          timestamp,
          raw,
          status: event.severity,
          message: event.message,
        };
      case 'result':
        return undefined;
    }
  }

  #mapToolUse(event: WireToolUse, raw: unknown): AgentEvent {
    this.#calls.set(event.tool_id, event);
    return {
      type: 'tool-invocation',
      timestamp: event.timestamp,
      raw,
      callId: event.tool_id,
      toolName: event.tool_name,
      kind: toolKind(event.tool_name),
      category: toolCategory(event.tool_name),
      input: event.parameters ?? {},
      locations: locationsOf(event),
    };
  }

  #mapToolResult(event: WireToolResult, raw: unknown): AgentEvent {
    const call = this.#calls.get(event.tool_id);
    this.#calls.delete(event.tool_id);
    const isCancelled = event.status === 'success' && CANCELLED.test(event.output ?? '');
    const isError = event.status === 'error' || isCancelled;
    return {
      type: 'tool-completion',
      timestamp: event.timestamp,
      raw,
      callId: event.tool_id,
      toolName: call?.tool_name,
      kind: call === undefined ? 'other' : toolKind(call.tool_name),
      category: call === undefined ? 'unknown' : toolCategory(call.tool_name),
      status: isError ? 'failed' : 'completed',
      isError,
      output: event.output,
      error: describeError(event, isCancelled),
      derived: isError || call === undefined ? undefined : deriveResult(call, event),
    };
  }
}

/** Words of the CLI for a call that was cancelled. Its stream knows two outcomes, and reports such a call as a success. */
const CANCELLED = /^(?:\[Operation Cancelled\] .*|Command cancelled by user\.)$/;

function describeError({ error, output }: WireToolResult, isCancelled: boolean) {
  if (isCancelled) return { type: 'cancelled', message: output ?? 'The call was cancelled' };
  return error ? { type: error.type, message: error.message } : undefined;
}

function deriveResult(call: WireToolUse, { output }: WireToolResult) {
  const path = call.parameters?.['file_path'];
  return deriveMeaning({
    toolName: call.tool_name,
    kind: toolKind(call.tool_name),
    category: toolCategory(call.tool_name),
    path: typeof path === 'string' ? path : undefined,
    output,
  });
}

function locationsOf(call: WireToolUse): string[] | undefined {
  const path = call.parameters?.['file_path'] ?? call.parameters?.['dir_path'];
  return typeof path === 'string' ? [path] : undefined;
}

export function mapUsage(stats: WireStats): Usage {
  const models = Object.entries(stats.models ?? {}).map(([model, counts]) => {
    return [model, mapTokenCounts(counts ?? {})] as const;
  });
  return {
    ...mapTokenCounts(stats),
    models: Object.fromEntries(models),
    toolCalls: stats.tool_calls ?? 0,
  };
}

type WireTokenCounts = Pick<
  WireStats,
  'total_tokens' | 'input_tokens' | 'output_tokens' | 'cached' | 'thoughts' | 'tool'
>;

/** Maps the counts of the wire. A stream has thoughts and tool use in the total alone, so the rest counts as thoughts. */
function mapTokenCounts(counts: WireTokenCounts): TokenCounts {
  const total = counts.total_tokens ?? 0;
  const input = counts.input_tokens ?? 0;
  const output = counts.output_tokens ?? 0;
  const tool = counts.tool ?? 0;
  const thoughts = counts.thoughts ?? Math.max(0, total - input - output - tool);
  return { total, input, output, cached: counts.cached ?? 0, thoughts, tool };
}
