import { isDeepStrictEqual } from 'node:util';
import type { AgentEvent, PermissionDecision } from '../../api/agent-event.js';
import type { TextKind } from '../../api/event-base.js';
import type { TerminalResult, ToolContent } from '../../api/tool-event.js';
import { isObject } from '../../base/json/is-object.js';
import type { RecordedEdit } from '../../sessions/files/read-session-evidence.js';
import { deriveMeaning } from '../events/derive-meaning.js';
import {
  readParentCall,
  readPermissionOptions,
  readTextBlock,
  readToolCall,
  toList,
  type WireToolCall,
} from './acp-wire.js';
import type { AgentProfile } from './profile.js';
import { findPath, hasMore, toCompletion, toUpdate } from './tool-call-events.js';
import {
  type CallDescription,
  describeCall,
  type ToolCallState,
  updateCall,
} from './tool-call-state.js';
import { locateDiff, readContentBlock, readToolContent, textOfContent } from './tool-content.js';

/** Permission request of an agent, mapped to a tool call and options. */
export interface MappedRequest {
  readonly requestId: string;
  readonly call: CallDescription;
  readonly content: readonly ToolContent[];
  readonly options: ReturnType<typeof readPermissionOptions>;
  /** Option that was chosen. Undefined before the answer, and for the answer `cancelled`. */
  readonly optionId?: string | undefined;
  readonly raw: unknown;
}

/** Returns output and exit of a terminal of this package. */
type TerminalLookup = (terminalId: string) => TerminalResult | undefined;

/**
 * Maps updates to events. Keeps the state of tool calls, because later updates of a call contain only the changes.
 */
export class UpdateMapper {
  /** Edits that completed calls reported, with old and new text. */
  readonly edits: RecordedEdit[] = [];
  readonly #profile: AgentProfile;
  readonly #terminalResult: TerminalLookup;
  readonly #calls = new Map<string, ToolCallState>();

  constructor(profile: AgentProfile, terminalResult: TerminalLookup = () => undefined) {
    this.#profile = profile;
    this.#terminalResult = terminalResult;
  }

  map(update: unknown): AgentEvent[] {
    if (!isObject(update)) return [{ type: 'unknown', raw: update }];
    switch (update['sessionUpdate']) {
      case 'agent_message_chunk':
        return this.#mapText(update, 'text');
      case 'agent_thought_chunk':
        return this.#mapText(update, 'thinking');
      case 'user_message_chunk': {
        const text = readTextBlock(update['content']);
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
      case 'session_info_update': {
        const { title } = update;
        if (title !== null && typeof title !== 'string') break;
        return [{ type: 'session-info', raw: update, title: title ?? undefined }];
      }
      default:
        break;
    }
    return [{ type: 'unknown', raw: update }];
  }

  /** Reads a permission request. The agent may not have reported its tool call before. */
  readRequest(requestId: string, params: unknown): MappedRequest | undefined {
    const wire = isObject(params) ? readToolCall(params) : undefined;
    if (wire === undefined || !isObject(params)) return undefined;
    const { description: call, content } = this.#read(wire);
    const options = readPermissionOptions(params['options']);
    return { requestId, call, content, options, raw: params };
  }

  /**
   * Maps an answered permission request to events. Completes a rejected call, because the agent sends no update
   * for it.
   */
  mapRequest(
    { requestId, call, content, options, optionId, raw }: MappedRequest,
    decision: PermissionDecision,
  ): AgentEvent[] {
    const { callId, toolName, kind, title, input } = call;
    const events: AgentEvent[] = [];
    const known = this.#calls.get(callId);
    const asked = { description: call, content, isOver: known?.isOver ?? false };
    if (known === undefined) events.push({ type: 'tool-invocation', raw, ...call });
    else if (!isDeepStrictEqual(known.description, call)) events.push(toUpdate(asked, raw));
    this.#calls.set(callId, asked);
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
      ...(optionId === undefined ? {} : { optionId }),
    });
    if (decision === 'allow_once' || decision === 'allow_always') return events;
    this.#calls.set(callId, { ...asked, isOver: true });
    const isRejection = decision === 'reject';
    const error = isRejection
      ? { type: 'permission_rejected', message: `Permission for ${toolName} was not given` }
      : { type: 'cancelled', message: 'The step was cancelled' };
    events.push(toCompletion(call, raw, { error }));
    return events;
  }

  #mapText(update: Record<string, unknown>, textKind: TextKind): AgentEvent[] {
    const content = readContentBlock(update['content']);
    const parentCallId = readParentCall(update);
    const parent = parentCallId === undefined ? {} : { parentCallId };
    switch (content?.type) {
      case 'text': {
        const { text } = content;
        if (this.#profile.isNoise(text)) return [];
        const isWhole = textKind === 'thinking' && this.#profile.sendsWholeThoughts;
        const type = isWhole ? 'text' : 'text-delta';
        return [{ type, raw: update, text, textKind, ...parent }];
      }
      case 'image':
      case 'audio':
      case 'resource':
        return [{ type: 'content', raw: update, content, textKind, ...parent }];
      default:
        return [{ type: 'unknown', raw: update }];
    }
  }

  #mapToolCall(wire: WireToolCall, raw: unknown): AgentEvent[] {
    const events: AgentEvent[] = [];
    const known = this.#calls.get(wire.toolCallId);
    const call = this.#read(wire);
    this.#calls.set(wire.toolCallId, call);
    const isEnd = wire.status === 'completed' || wire.status === 'failed';
    if (known === undefined) events.push({ type: 'tool-invocation', raw, ...call.description });
    else if (!call.isOver && hasMore(known, call, isEnd))
      events.push(toUpdate({ ...call, content: this.#withTerminals(call.content) }, raw));
    if (isEnd && !call.isOver) events.push(this.#complete(call, wire, raw));
    return events;
  }

  #read(wire: WireToolCall): ToolCallState {
    const known = this.#calls.get(wire.toolCallId);
    return known === undefined
      ? describeCall(wire, this.#profile)
      : updateCall(known, wire, this.#profile);
  }

  #complete(call: ToolCallState, wire: WireToolCall, raw: unknown): AgentEvent {
    const { callId } = call.description;
    this.#calls.set(callId, { ...call, isOver: true });
    const isError = wire.status === 'failed';
    const content = this.#withTerminals(call.content);
    const output =
      textOfContent(readToolContent(wire.content)) ??
      describeOutput(wire.rawOutput) ??
      textOfContent(content);
    if (!isError) this.#collectEdits(call);
    const error = isError
      ? { type: 'tool_failed', message: output ?? 'The tool failed' }
      : undefined;
    const { toolName, kind, category } = call.description;
    const path = findPath(call);
    const derived = isError
      ? undefined
      : deriveMeaning({ toolName, kind, category, path, output, content });
    const rawOutput = wire.rawOutput ?? undefined;
    return toCompletion(call.description, raw, { output, rawOutput, content, error, derived });
  }

  /** Adds output and exit of terminals that this package runs for the agent. */
  #withTerminals(content: readonly ToolContent[]): readonly ToolContent[] {
    return content.map((block) => {
      const result = block.type === 'terminal' ? this.#terminalResult(block.terminalId) : undefined;
      return result === undefined ? block : { ...block, result };
    });
  }

  #collectEdits({ description, content }: ToolCallState): void {
    for (const block of content) {
      if (block.type !== 'diff') continue;
      this.edits.push({
        tool: description.toolName,
        toolId: description.callId,
        path: locateDiff(block.path, description.locations),
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
