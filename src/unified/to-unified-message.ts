import type { SessionMessage, SessionThought } from '../contract/session.js';
import type {
  MessageMark,
  UnifiedContent,
  UnifiedMessage,
  UnifiedThinking,
  UnifiedUsage,
} from '../contract/unified-message.js';
import { fieldOf, functionResponsesOf, isInjectedContext } from '../session/message-text.js';
import { toImage } from './image-block.js';
import { toToolBlocks, toToolResult } from './tool-blocks.js';

/** Whether a call is recorded together with its result, so that its answer to the model is an echo. */
export type IsRecordedCall = (callId: string) => boolean;

export function toUnifiedMessage(
  message: SessionMessage,
  isRecorded: IsRecordedCall,
): UnifiedMessage {
  const time = message.timestamp === undefined ? Number.NaN : Date.parse(message.timestamp);
  const mark = markOf(message, isRecorded);
  const level = LEVELS.find((name) => name === message.type);
  return {
    id: message.id,
    role: message.type === 'user' ? 'user' : level === undefined ? 'assistant' : 'system',
    content: inOrder([
      ...(message.thoughts ?? []).map(toThinking),
      ...(message.toolCalls ?? []).flatMap(toToolBlocks),
      ...partsOf(message.content).flatMap((part) => toBlocks(part, isRecorded)),
    ]),
    ...(Number.isNaN(time) ? {} : { timestamp: time }),
    tool: 'gemini',
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

/** What a message is for, where it is not part of the conversation. */
export function markOf(
  message: SessionMessage,
  isRecorded: IsRecordedCall,
): MessageMark | undefined {
  if (message.type === 'info') return 'info';
  if (message.type !== 'user') return undefined;
  if (isInjectedContext(message.content)) return 'session-context';
  const answers = functionResponsesOf(message);
  const isEcho = answers.length > 0 && answers.every((answer) => isRecorded(idOf(answer)));
  return isEcho && answers.length === partsOf(message.content).length ? 'tool-response' : undefined;
}

function toThinking({ subject, description }: SessionThought): UnifiedThinking {
  const parts = [subject, description].filter((part) => part !== undefined && part !== '');
  return { type: 'thinking', thinking: parts.join(': ') };
}

function partsOf(content: unknown): readonly unknown[] {
  if (content === undefined || content === null) return [];
  return Array.isArray(content) ? content : [content];
}

function toBlocks(part: unknown, isRecorded: IsRecordedCall): UnifiedContent[] {
  const text = typeof part === 'string' ? part : fieldOf(part, 'text');
  if (typeof text === 'string') return toText(text, fieldOf(part, 'thought') === true);
  const image = toImage(part);
  if (image !== undefined) return [image];
  const answer = fieldOf(part, 'functionResponse');
  if (answer !== undefined) return toAnswer(answer);
  const call = fieldOf(part, 'functionCall');
  if (call !== undefined && !isRecorded(idOf(call))) return toCall(call);
  return [];
}

function toText(text: string, isThought: boolean): UnifiedContent[] {
  if (text.trim() === '') return [];
  return isThought ? [{ type: 'thinking', thinking: text }] : [{ type: 'text', text }];
}

function toAnswer(answer: unknown): UnifiedContent[] {
  return [toToolResult(idOf(answer), fieldOf(answer, 'response'), false)];
}

/** A history that the CLI has rewritten has its calls in the content alone. */
function toCall(call: unknown): UnifiedContent[] {
  const [name, args] = [fieldOf(call, 'name'), fieldOf(call, 'args')];
  if (typeof name !== 'string') return [];
  const input = typeof args === 'object' && args !== null ? { ...args } : {};
  return toToolBlocks({ id: idOf(call), name, args: input });
}

function idOf(value: unknown): string {
  const id = fieldOf(value, 'id');
  return typeof id === 'string' ? id : '';
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
