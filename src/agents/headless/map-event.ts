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
    const isError = event.status === 'error';
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
      error: event.error ? { type: event.error.type, message: event.error.message } : undefined,
      derived: isError || call === undefined ? undefined : deriveResult(call, event),
    };
  }
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
  'total_tokens' | 'input_tokens' | 'output_tokens' | 'cached'
>;

function mapTokenCounts(counts: WireTokenCounts): TokenCounts {
  return {
    total: counts.total_tokens ?? 0,
    input: counts.input_tokens ?? 0,
    output: counts.output_tokens ?? 0,
    cached: counts.cached ?? 0,
  };
}
