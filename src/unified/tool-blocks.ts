import type { SessionToolCall } from '../contract/session.js';
import type {
  UnifiedImage,
  UnifiedText,
  UnifiedToolResult,
  UnifiedToolUse,
} from '../contract/unified-message.js';
import { fieldOf } from '../session/message-text.js';
import { toClaudeTool } from './claude-tools.js';
import { toImage } from './image-block.js';

/** A call, and its result as a block of its own where there is one. */
export function toToolBlocks(call: SessionToolCall): (UnifiedToolUse | UnifiedToolResult)[] {
  const { name, input } = toClaudeTool(call.name, call.args ?? {});
  const use: UnifiedToolUse = { type: 'tool_use', id: call.id, name, input };
  const result = toResult(call);
  return result === undefined ? [use] : [use, result];
}

/** What the model was told of a call. */
export function toToolResult(id: string, response: unknown, isError: boolean): UnifiedToolResult {
  const error = fieldOf(response, 'error');
  return {
    type: 'tool_result',
    tool_use_id: id,
    content: describe(response),
    is_error: isError || (error !== undefined && error !== null && error !== ''),
  };
}

function toResult(call: SessionToolCall): UnifiedToolResult | undefined {
  const isError = call.status === 'error' || call.status === 'cancelled';
  const parts = Array.isArray(call.result) ? call.result : [call.result ?? undefined];
  const answers = parts.flatMap((part: unknown) => fieldOf(part, 'functionResponse') ?? []);
  const images = parts.flatMap((part: unknown) => toImage(part) ?? []);
  if (answers.length === 0 && images.length === 0) {
    // A call that was stopped has no answer for the model, only something for the person.
    const isOver = isError || call.status === 'success';
    return isOver ? toToolResult(call.id, shownTo(call), isError) : undefined;
  }
  const results = answers.map((answer) =>
    toToolResult(call.id, fieldOf(answer, 'response'), isError),
  );
  const texts = results.flatMap(({ content }) => (typeof content === 'string' ? [content] : []));
  return {
    type: 'tool_result',
    tool_use_id: call.id,
    content: withImages(texts.join('\n'), images),
    is_error: isError || results.some((result) => result.is_error),
  };
}

function withImages(text: string, images: readonly UnifiedImage[]): UnifiedToolResult['content'] {
  if (images.length === 0) return text;
  const words: UnifiedText[] = text === '' ? [] : [{ type: 'text', text }];
  return [...words, ...images];
}

/** `output`, `error`, or whatever else a tool has answered. */
function describe(response: unknown): string {
  for (const name of ['output', 'error']) {
    const value = fieldOf(response, name);
    if (typeof value === 'string' && value !== '') return value;
    if (value !== undefined && value !== null && value !== '') return JSON.stringify(value);
  }
  if (response === undefined || response === null) return '';
  if (typeof response === 'string') return response;
  return Object.keys(response).every((key) => key === 'output' || key === 'error')
    ? ''
    : JSON.stringify(response);
}

function shownTo({ resultDisplay }: SessionToolCall): unknown {
  return typeof resultDisplay === 'string' ? resultDisplay : undefined;
}
