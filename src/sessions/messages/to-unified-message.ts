import type { SessionMessage } from '../../api/session.js';
import type {
  MessageMark,
  UnifiedContent,
  UnifiedMessage,
  UnifiedUsage,
} from '../../api/unified-message.js';
import {
  fieldOf,
  functionResponsesOf,
  isInjectedContext,
  shownContentOf,
} from '../files/message-text.js';
import { toImage } from './image-block.js';
import { idOf, type RecordedCalls } from './recorded-calls.js';
import { GEMINI_TOOL } from './step-messages.js';
import { parseThought, toThinking } from './thought.js';
import { toToolBlocks, toToolResult } from './tool-blocks.js';

export function toUnifiedMessage(
  message: SessionMessage,
  calls: RecordedCalls,
  tool = GEMINI_TOOL,
): UnifiedMessage {
  const time = message.timestamp === undefined ? Number.NaN : Date.parse(message.timestamp);
  const mark = markOf(message, calls);
  const level = LEVELS.find((name) => name === message.type);
  return {
    id: message.id,
    role: message.type === 'user' ? 'user' : level === undefined ? 'assistant' : 'system',
    content: inOrder([
      ...(message.thoughts ?? []).flatMap(toThinking),
      ...(message.toolCalls ?? []).flatMap(toToolBlocks),
      ...toBlocks(message, calls, mark),
    ]),
    ...(Number.isNaN(time) ? {} : { timestamp: time }),
    tool,
    ...(message.model === undefined ? {} : { model: message.model }),
    ...(message.tokens ? { usage: toUsage(message.tokens) } : {}),
    ...(level === undefined ? {} : { level }),
    ...(mark === undefined ? {} : { mark }),
    _original: message,
  };
}

const ORDER = { thinking: 0, tool_use: 1, tool_result: 1, image: 2, text: 2 };

function inOrder(blocks: readonly UnifiedContent[]): UnifiedContent[] {
  return blocks.toSorted((a, b) => ORDER[a.type] - ORDER[b.type]);
}

const LEVELS = ['info', 'warning', 'error'] as const;

/** Returns the kind of a message that is not part of the conversation. Undefined for all others. */
export function markOf(message: SessionMessage, calls: RecordedCalls): MessageMark | undefined {
  if (message.type === 'info') return 'info';
  if (message.type !== 'user') return undefined;
  if (isInjectedContext(message.content)) return 'session-context';
  const answers = functionResponsesOf(message);
  const isEcho =
    answers.length > 0 &&
    answers.every((answer) => calls.isRepeated(idOf(answer), message)) &&
    // Images of a tool answer are parts beside the answer.
    partsOf(message.content).every((part) => isAnswer(part) || toImage(part) !== undefined);
  return isEcho ? 'tool-response' : undefined;
}

function partsOf(content: unknown): readonly unknown[] {
  if (content === undefined || content === null) return [];
  return Array.isArray(content) ? content : [content];
}

function isAnswer(part: unknown): boolean {
  return fieldOf(part, 'functionResponse') !== undefined;
}

function toBlocks(
  message: SessionMessage,
  calls: RecordedCalls,
  mark: MessageMark | undefined,
): UnifiedContent[] {
  // A resumed session repeats its thoughts in the content.
  const hasThoughts = (message.thoughts ?? []).length > 0;
  return partsOf(shownContentOf(message)).flatMap((part): readonly UnifiedContent[] => {
    const text = typeof part === 'string' ? part : fieldOf(part, 'text');
    if (typeof text === 'string') {
      if (fieldOf(part, 'thought') !== true) return toText(text);
      return hasThoughts ? [] : toThinking(parseThought(text));
    }
    const image = toImage(part);
    if (image !== undefined) return [image];
    if (isAnswer(part)) {
      const id = idOf(fieldOf(part, 'functionResponse'));
      const isWanted = mark === 'tool-response' || !calls.isRepeated(id, message);
      return isWanted ? [toToolResult(id, [part], false)] : [];
    }
    const call = fieldOf(part, 'functionCall');
    return call === undefined || calls.isRecorded(idOf(call)) ? [] : toCall(call);
  });
}

function toText(text: string): UnifiedContent[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

/** Converts a call in the content. A history that the CLI has rewritten has its calls only there. */
function toCall(call: unknown): UnifiedContent[] {
  const [name, args] = [fieldOf(call, 'name'), fieldOf(call, 'args')];
  if (typeof name !== 'string') return [];
  const input = typeof args === 'object' && args !== null ? { ...args } : {};
  return toToolBlocks({ id: idOf(call), name, args: input });
}

function toUsage(tokens: NonNullable<SessionMessage['tokens']>): UnifiedUsage {
  const { input = 0, output = 0, cached = 0, thoughts = 0 } = tokens;
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: tokens.total ?? input + output,
    ...(cached > 0 ? { cache_read_input_tokens: cached } : {}),
    ...(thoughts > 0 ? { thinking_tokens: thoughts } : {}),
  };
}
