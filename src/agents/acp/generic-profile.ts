import type { ErrorCode } from '../../api/error.js';
import type { ApprovalMode } from '../../api/provider-config.js';
import type { ToolCategory, ToolKind } from '../../api/tool.js';
import { isObject } from '../../base/json/is-object.js';
import { isEditingKind } from '../events/match-tool-rule.js';
import { fail } from '../verdict/create-failure.js';
import type { WireToolCall } from './acp-wire.js';
import type { AgentProfile } from './profile.js';
import { readTokenCounts } from './read-token-counts.js';
import { judgeProtocolError } from './rpc-failure.js';

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

/** Ids that agents use for the four approval modes. The first id that the agent offers is used. */
const MODE_NAMES: Readonly<Record<ApprovalMode, readonly string[]>> = {
  default: ['default', 'ask', 'code', 'build'],
  auto_edit: ['auto_edit', 'autoEdit', 'auto-edit', 'acceptEdits', 'accept-edits'],
  yolo: ['yolo', 'bypassPermissions', 'full-access', 'auto'],
  plan: ['plan', 'architect', 'read-only'],
};

const READING: ReadonlySet<ToolKind> = new Set(['read', 'search', 'think']);

function isKindAllowed(mode: ApprovalMode, kind: ToolKind): boolean {
  if (mode === 'yolo' || READING.has(kind)) return true;
  return mode === 'auto_edit' && isEditingKind(kind);
}

const IDENTIFIER = /^[a-z_][\w-]*$/i;

/**
 * Returns the tool name that rules and hints use: the name in `_meta`, else the title if it looks like a name, else
 * the kind. A title that equals a kind is ignored: the title of a command must not make the command an edit.
 */
function nameTool({ title, kind, _meta: meta }: WireToolCall): string {
  const named = findInMeta(meta, 'toolName');
  if (typeof named === 'string' && named !== '') return named;
  const isName = typeof title === 'string' && IDENTIFIER.test(title) && !isToolKind(title);
  return isName ? title : toToolKind(kind);
}

/** Creates the profile of an agent that follows the protocol and is not known otherwise. */
export function createGenericProfile(name: string): AgentProfile {
  return {
    name,
    hints: createAgentHints(name),
    findMode: (mode, offered) => MODE_NAMES[mode].find((id) => offered.includes(id)),
    findModel: (model, offered) => {
      const found =
        offered.find(({ id }) => id === model) ?? offered.find((other) => other.name === model);
      return found?.id ?? model;
    },
    toolName: nameTool,
    toolInput: (_name, { rawInput }) => (isObject(rawInput) ? rawInput : {}),
    holdsCommandRules: false,
    asksForEdits: false,
    toolKind: (_name, kind) => toToolKind(kind),
    toolCategory: (_name, kind) => categoryOfKind(kind),
    isAllowedByMode: (mode, _tool, kind) => isKindAllowed(mode, kind),
    sendsWholeThoughts: false,
    isNoise: () => false,
    protectPrompt: (text) => ({ text, warnings: [] }),
    takesMissingFileForError: false,
    findReports: async () => [],
    readUpdateUsage: (update) => {
      return isObject(update) ? readTokenCounts(findInMeta(update['_meta'], 'usage')) : undefined;
    },
    readUsage,
    judgeTurn: ({ acpStopReason: stopReason, hasAnswer, toolCalls, usage }) => {
      const isSilent = !hasAnswer && toolCalls === 0 && (usage?.output ?? 0) === 0;
      return stopReason === 'end_turn' && isSilent
        ? fail(
            'EMPTY_RESPONSE',
            'The agent ended the turn without text, tool calls or output tokens',
          )
        : undefined;
    },
    judgeRpcError: (error) => judgeProtocolError(error),
    codeOfEarlyExit: () => undefined,
  };
}

/** Reads `usage` of a prompt response, a draft of the protocol. */
const readUsage: AgentProfile['readUsage'] = (response, toolCalls, streamedUsage) => {
  const reported = isObject(response) ? readTokenCounts(response['usage']) : undefined;
  const tokens = reported ?? streamedUsage;
  return tokens && { ...tokens, models: {}, toolCalls };
};

/**
 * Finds a key in `_meta`, or one level deeper: agents put fields that the protocol does not define under their own
 * name.
 */
function findInMeta(meta: unknown, key: string): unknown {
  if (!isObject(meta)) return undefined;
  const holders = [meta, ...Object.values(meta).filter(isObject)];
  return holders.map((holder) => holder[key]).find((value) => value !== undefined);
}

/** Creates the hints for an agent of which only the name is known. */
function createAgentHints(name: string): Partial<Record<ErrorCode, string>> {
  return {
    AUTH: `Give ${name} credentials: set variables with \`env\`, log in with ${name} itself, or set \`authMethod\`.`,
    CLI_NOT_FOUND: 'Set `command` to the path of an executable, or to its name on PATH.',
    EMPTY_RESPONSE: `${name} gave no answer: try again, or use another \`model\`.`,
    TURN_LIMIT: `Raise the limit in the settings of ${name}, or ask for less in one step.`,
    QUOTA_EXHAUSTED:
      'The quota is used up: wait for it to be renewed, or use another `model` or key.',
    PROTOCOL: `Read \`stderrTail\`, and check that \`command\` and \`args\` start ${name} as an ACP agent.`,
  };
}
