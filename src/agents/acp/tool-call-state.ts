import type { ToolCategory, ToolKind } from '../../api/tool.js';
import type { ToolContent } from '../../api/tool-event.js';
import { readLocations, readParentCall, type WireToolCall } from './acp-wire.js';
import type { AgentProfile } from './profile.js';
import { readToolContent } from './tool-content.js';

/** Description of a tool call, merged from its updates so far. */
export interface CallDescription {
  readonly callId: string;
  readonly toolName: string;
  readonly kind: ToolKind;
  readonly category: ToolCategory;
  readonly title: string | undefined;
  readonly input: Readonly<Record<string, unknown>>;
  readonly locations: readonly string[];
  /** Call of the sub-agent that makes this call. */
  readonly parentCallId?: string | undefined;
}

export interface ToolCallState {
  readonly description: CallDescription;
  readonly content: readonly ToolContent[];
  readonly isOver: boolean;
}

export function describeCall(wire: WireToolCall, profile: AgentProfile): ToolCallState {
  const toolName = profile.toolName(wire);
  const kind = profile.toolKind(toolName, wire.kind);
  return {
    description: {
      callId: wire.toolCallId,
      toolName,
      kind,
      category: profile.toolCategory(toolName, kind),
      title: wire.title ?? undefined,
      input: profile.toolInput(toolName, wire),
      locations: readLocations(wire.locations),
      ...describeParent(wire),
    },
    content: readToolContent(wire.content),
    isOver: false,
  };
}

function describeParent(wire: WireToolCall): Pick<CallDescription, 'parentCallId'> {
  const parentCallId = readParentCall(wire);
  return parentCallId === undefined ? {} : { parentCallId };
}

/**
 * Merges an update into a call. Omitted fields keep their values. The tool name never changes, because rules and
 * events use it.
 */
export function updateCall(
  known: ToolCallState,
  wire: WireToolCall,
  profile: AgentProfile,
): ToolCallState {
  const { description } = known;
  const update = describeCall(wire, profile);
  const { input, locations } = update.description;
  const kind = wire.kind ? profile.toolKind(description.toolName, wire.kind) : description.kind;
  return {
    description: {
      ...description,
      kind,
      category: profile.toolCategory(description.toolName, kind),
      title: wire.title ?? description.title,
      input: Object.keys(input).length === 0 ? description.input : input,
      locations: locations.length === 0 ? description.locations : locations,
    },
    content: wire.content ? update.content : known.content,
    isOver: known.isOver,
  };
}
