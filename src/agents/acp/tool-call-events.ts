import { isDeepStrictEqual } from 'node:util';
import type { ToolCompletionEvent, ToolUpdateEvent } from '../../api/tool-event.js';
import type { CallDescription, ToolCallState } from './tool-call-state.js';

/** True if the agent has told more of a call than before. The content at the end of a call is in its completion. */
export function hasMore(known: ToolCallState, call: ToolCallState, isEnd: boolean): boolean {
  if (!isDeepStrictEqual(known.description, call.description)) return true;
  return !isEnd && !isDeepStrictEqual(known.content, call.content);
}

export function toUpdate({ description, content }: ToolCallState, raw: unknown): ToolUpdateEvent {
  return {
    type: 'tool-update',
    raw,
    ...description,
    ...(content.length === 0 ? {} : { content }),
  };
}

/** Returns the file that a call has changed: in its locations, its diffs or its arguments. */
export function findPath({ description, content }: ToolCallState): string | undefined {
  const [diff] = content.filter((block) => block.type === 'diff');
  const named = description.input['file_path'] ?? description.input['path'];
  const path = typeof named === 'string' ? named : undefined;
  return description.locations[0] ?? diff?.path ?? path;
}

export function toCompletion(
  { callId, toolName, kind, category }: CallDescription,
  raw: unknown,
  end: Pick<ToolCompletionEvent, 'output' | 'rawOutput' | 'content' | 'error' | 'derived'>,
): ToolCompletionEvent {
  const isError = end.error !== undefined;
  const status = isError ? 'failed' : 'completed';
  return {
    type: 'tool-completion',
    raw,
    callId,
    toolName,
    kind,
    category,
    status,
    isError,
    ...end,
  };
}
