import type {
  AgentEvent,
  PermissionDecision,
  TextKind,
  ToolContent,
} from '../contract/agent-event.js';
import type { ToolCategory, ToolKind } from '../contract/tool.js';
import type { RecordedEdit } from '../session/run-witness.js';
import type { AgentProfile } from './profile.js';
import { readToolContent, textOfContent } from './tool-content.js';
import {
  isObject,
  readLocations,
  readPermissionOptions,
  readText,
  readToolCall,
  toList,
  type WireToolCall,
} from './wire.js';

interface KnownCall {
  readonly callId: string;
  readonly toolName: string;
  readonly kind: ToolKind;
  readonly category: ToolCategory;
  readonly title: string | undefined;
  readonly input: Readonly<Record<string, unknown>>;
  readonly locations: readonly string[];
  isOver: boolean;
}

/** A permission request, read and given its meaning. */
export interface MappedRequest {
  readonly requestId: string;
  readonly call: Omit<KnownCall, 'isOver'>;
  readonly options: ReturnType<typeof readPermissionOptions>;
  readonly raw: unknown;
}

/** Gives each update its meaning. Remembers tool calls: later updates carry only what has changed. */
export class UpdateMapper {
  /** What completed calls report to have written, with old and new text. */
  readonly edits: RecordedEdit[] = [];
  readonly #profile: AgentProfile;
  readonly #calls = new Map<string, KnownCall>();

  constructor(profile: AgentProfile) {
    this.#profile = profile;
  }

  map(update: unknown): AgentEvent[] {
    if (!isObject(update)) return [{ type: 'unknown', raw: update }];
    switch (update['sessionUpdate']) {
      case 'agent_message_chunk':
        return this.#mapText(update, 'text');
      case 'agent_thought_chunk':
        return this.#mapText(update, 'thinking');
      case 'user_message_chunk': {
        const text = readText(update['content']);
        if (text === undefined) break;
        return [{ type: 'user-input', raw: update, text, isSynthetic: true }];
      }
      case 'tool_call':
      case 'tool_call_update': {
        const call = readToolCall(update);
        if (call === undefined) break;
        return this.#mapToolCall(call, update);
      }
      case 'plan':
        return [{ type: 'plan', raw: update, entries: toList(update['entries']) }];
      case 'config_option_update':
        return [{ type: 'config-options', raw: update, options: toList(update['configOptions']) }];
      case 'available_commands_update': {
        const commands = toList(update['availableCommands']);
        return [{ type: 'available-commands', raw: update, commands }];
      }
      case 'current_mode_update': {
        const modeId = update['currentModeId'];
        if (typeof modeId !== 'string') break;
        return [{ type: 'session-mode', raw: update, modeId }];
      }
      default:
        break;
    }
    return [{ type: 'unknown', raw: update }];
  }

  /** The call behind a permission request; agents need not have told of it before. */
  readRequest(requestId: string, params: unknown): MappedRequest | undefined {
    const wire = isObject(params) ? readToolCall(params) : undefined;
    if (wire === undefined || !isObject(params)) return undefined;
    const call = this.#calls.get(wire.toolCallId) ?? this.#describe(wire);
    return { requestId, call, options: readPermissionOptions(params['options']), raw: params };
  }

  /** A request that was answered: a rejected call gets no update from the agent, so we complete it. */
  mapRequest(
    { requestId, call, options, raw }: MappedRequest,
    decision: PermissionDecision,
  ): AgentEvent[] {
    const { callId, toolName, kind, category, title, input } = call;
    const events: AgentEvent[] = [];
    if (!this.#calls.has(callId)) events.push(this.#invoke({ ...call, isOver: false }, raw));
    events.push({
      type: 'permission-request',
      raw,
      requestId,
      toolName,
      kind,
      input,
      callId,
      title,
      options,
      decision,
    });
    if (decision === 'allow_once' || decision === 'allow_always') return events;
    const known = this.#calls.get(callId);
    if (known !== undefined) known.isOver = true;
    const isRejection = decision === 'reject';
    events.push({
      type: 'tool-completion',
      raw,
      callId,
      toolName,
      kind,
      category,
      status: 'failed',
      isError: true,
      error: isRejection
        ? { type: 'permission_rejected', message: `Permission for ${toolName} was not given` }
        : { type: 'cancelled', message: 'The run was cancelled' },
    });
    return events;
  }

  #mapText(update: Record<string, unknown>, textKind: TextKind): AgentEvent[] {
    const text = readText(update['content']);
    if (text === undefined) return [{ type: 'unknown', raw: update }];
    if (this.#profile.isNoise(text)) return [];
    return [{ type: 'text-delta', raw: update, text, textKind }];
  }

  #mapToolCall(wire: WireToolCall, raw: unknown): AgentEvent[] {
    const events: AgentEvent[] = [];
    const known = this.#calls.get(wire.toolCallId);
    const call = known ?? { ...this.#describe(wire), isOver: false };
    if (known === undefined) events.push(this.#invoke(call, raw));
    const isEnd = wire.status === 'completed' || wire.status === 'failed';
    if (isEnd && !call.isOver) events.push(this.#complete(call, wire, raw));
    return events;
  }

  #describe(wire: WireToolCall): Omit<KnownCall, 'isOver'> {
    const toolName = this.#profile.toolName(wire);
    const kind = this.#profile.toolKind(toolName, wire.kind);
    return {
      callId: wire.toolCallId,
      toolName,
      kind,
      category: this.#profile.toolCategory(toolName, kind),
      title: wire.title ?? undefined,
      input: this.#profile.toolInput(toolName, wire),
      locations: readLocations(wire.locations),
    };
  }

  #invoke(call: KnownCall, raw: unknown): AgentEvent {
    this.#calls.set(call.callId, call);
    const { isOver: _, ...described } = call;
    return { type: 'tool-invocation', raw, ...described };
  }

  #complete(call: KnownCall, wire: WireToolCall, raw: unknown): AgentEvent {
    call.isOver = true;
    const isError = wire.status === 'failed';
    const content = readToolContent(wire.content);
    const output = textOfContent(content) ?? describeOutput(wire.rawOutput);
    if (!isError) this.#remember(call, content);
    return {
      type: 'tool-completion',
      raw,
      callId: call.callId,
      toolName: call.toolName,
      kind: call.kind,
      category: call.category,
      status: isError ? 'failed' : 'completed',
      isError,
      output,
      content,
      error: isError ? { type: 'tool_failed', message: output ?? 'The tool failed' } : undefined,
    };
  }

  #remember({ toolName, callId }: KnownCall, content: readonly ToolContent[]): void {
    for (const block of content) {
      if (block.type !== 'diff') continue;
      this.edits.push({
        tool: toolName,
        toolId: callId,
        path: block.path,
        before: block.oldText ?? undefined,
        after: block.newText,
      });
    }
  }
}

function describeOutput(rawOutput: unknown): string | undefined {
  if (rawOutput === undefined || rawOutput === null) return undefined;
  return typeof rawOutput === 'string' ? rawOutput : JSON.stringify(rawOutput);
}
