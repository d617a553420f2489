import type { SessionMessage } from '../../api/session.js';
import { textsOf } from './message-text.js';

/** What a person says to the CLI itself. */
export function isCommand(text: string): boolean {
  return /^\s*[/?]/.test(text);
}

/** Whether a message is something that the CLI would go on with, by its own rules. */
export function isResumable(message: SessionMessage): boolean {
  const { type, content, toolCalls, thoughts } = message;
  const text = textsOf(content).join('').trim();
  if (type === 'user') {
    return text === ''
      ? hasMedia(content)
      : !isCommand(text) && !/^<(?:session|hook)_context>/.test(text);
  }
  if (type !== 'gemini') return false;
  const hasMore = (toolCalls ?? []).length > 0 || (thoughts ?? []).length > 0;
  return text !== '' || hasMore || hasMedia(content);
}

/** Images, answers of tools and the like count as something that was said. */
function hasMedia(content: unknown): boolean {
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content];
  return parts.some((part) => typeof part === 'object' && part !== null && !('text' in part));
}
