import type { SessionMessage } from '../../api/session.js';
import { textsOf } from './message-text.js';

/** True for a prompt that is a command of the CLI, such as `/help`. */
export function isCommand(text: string): boolean {
  return /^\s*[/?]/.test(text);
}

/** True if the message makes its session resumable, by the rules of the CLI. */
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

/** True if the content has a part that is no text, such as an image or a tool answer. */
function hasMedia(content: unknown): boolean {
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content];
  return parts.some((part) => typeof part === 'object' && part !== null && !('text' in part));
}
