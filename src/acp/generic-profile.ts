import type { ApprovalMode } from '../config/provider-config.js';
import type { Usage } from '../contract/result.js';
import type { ToolCategory, ToolKind } from '../contract/tool.js';
import { fail } from '../errors/failures.js';
import type { AgentProfile } from './profile.js';
import { judgeProtocolError } from './rpc-failure.js';
import { isObject } from './wire.js';

const KINDS: ReadonlySet<string> = new Set<ToolKind>([
  'read',
  'edit',
  'delete',
  'move',
  'search',
  'execute',
  'think',
  'fetch',
  'browse',
  'ask',
  'memory',
  'mcp',
  'other',
]);

export function toToolKind(kind: string | null | undefined): ToolKind {
  return isToolKind(kind) ? kind : 'other';
}

function isToolKind(kind: string | null | undefined): kind is ToolKind {
  return typeof kind === 'string' && KINDS.has(kind);
}

const CATEGORY_OF_KIND: Readonly<Record<ToolKind, ToolCategory>> = {
  read: 'file-read',
  search: 'file-read',
  edit: 'file-write',
  delete: 'file-write',
  move: 'file-write',
  execute: 'command',
  think: 'planning',
  fetch: 'search-fetch',
  browse: 'search-fetch',
  ask: 'ask-user',
  memory: 'planning',
  mcp: 'mcp',
  other: 'unknown',
};

export function categoryOfKind(kind: ToolKind): ToolCategory {
  return CATEGORY_OF_KIND[kind];
}

/** Names that agents use for the four modes, in the order in which they are tried. */
const MODE_NAMES: Readonly<Record<ApprovalMode, readonly string[]>> = {
  default: ['default', 'ask', 'code', 'build'],
  auto_edit: ['auto_edit', 'autoEdit', 'auto-edit', 'acceptEdits', 'accept-edits'],
  yolo: ['yolo', 'bypassPermissions', 'full-access', 'auto'],
  plan: ['plan', 'architect', 'read-only'],
};

const READING: ReadonlySet<ToolKind> = new Set(['read', 'search', 'think']);
const EDITING: ReadonlySet<ToolKind> = new Set(['edit', 'delete', 'move']);

export function isKindAllowed(mode: ApprovalMode, kind: ToolKind): boolean {
  if (mode === 'yolo' || READING.has(kind)) return true;
  return mode === 'auto_edit' && EDITING.has(kind);
}

/** Any agent that speaks the protocol, taken at its word. */
export function createGenericProfile(name: string): AgentProfile {
  return {
    name,
    findMode: (mode, offered) => MODE_NAMES[mode].find((id) => offered.includes(id)),
    toolName: ({ title, kind, rawInput, _meta: meta }) => {
      const named = [meta, rawInput].flatMap((part) => {
        return isObject(part) ? (part['toolName'] ?? part['tool_name'] ?? []) : [];
      });
      const [first] = named;
      return typeof first === 'string' ? first : (title ?? kind ?? 'unknown');
    },
    toolInput: (_name, { rawInput }) => (isObject(rawInput) ? rawInput : {}),
    holdsCommandRules: false,
    toolKind: (_name, kind) => toToolKind(kind),
    toolCategory: (_name, kind) => categoryOfKind(kind),
    isAllowedByMode: (mode, _tool, kind) => isKindAllowed(mode, kind),
    isNoise: () => false,
    protectPrompt: (text) => ({ text, warnings: [] }),
    takesMissingFileForError: false,
    readUsage: readProtocolUsage,
    judgeTurn: ({ stopReason, hasAnswer, toolCalls, usage }) => {
      const isSilent = !hasAnswer && toolCalls === 0 && (usage?.output ?? 0) === 0;
      return stopReason === 'end_turn' && isSilent
        ? fail('EMPTY_RESPONSE', 'The agent ended its turn without having said or done anything')
        : undefined;
    },
    judgeRpcError: judgeProtocolError,
  };
}

/** `usage` of a prompt response, which the protocol has as a draft. */
function readProtocolUsage(response: unknown, toolCalls: number): Usage | undefined {
  const usage = isObject(response) ? response['usage'] : undefined;
  if (!isObject(usage)) return undefined;
  const count = (...names: string[]): number => {
    const value = names.map((name) => usage[name]).find((given) => typeof given === 'number');
    return typeof value === 'number' ? value : 0;
  };
  const input = count('inputTokens', 'input_tokens');
  const output = count('outputTokens', 'output_tokens');
  const cached = count('cachedReadTokens', 'cached_read_tokens');
  const total = count('totalTokens', 'total_tokens') || input + output;
  return { total, input, output, cached, models: {}, toolCalls };
}
