import type { SessionMessage } from '../../api/session.js';

/** Returns the texts in the content of a message, in any form that the CLI uses. Thoughts are left out. */
export function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (Array.isArray(content)) return content.flatMap(textsOf);
  const text = fieldOf(content, 'text');
  return typeof text === 'string' && fieldOf(content, 'thought') !== true ? [text] : [];
}

/**
 * Returns the content of a message as the CLI shows it: a prompt with `@file` as the user wrote it, without the text of the
 * file. The model got `content`.
 */
export function shownContentOf({ type, content, displayContent }: SessionMessage): unknown {
  const isShown = type === 'user' && textsOf(displayContent).join('').trim() !== '';
  return isShown ? displayContent : content;
}

/** True if a message contains only context that the CLI puts before the prompt. */
export function isInjectedContext(content: unknown): boolean {
  const text = textsOf(content).join('');
  const rest = withoutContext(text);
  return rest !== text && rest.trim() === '';
}

/** Removes the context before a prompt. The CLI puts the output of a hook into the same text. */
export function withoutContext(text: string): string {
  const context = /\s*<(session|hook)_context>[\s\S]*?(?:<\/\1_context>|$)/y;
  let end = 0;
  while (context.test(text)) end = context.lastIndex;
  return text.slice(end);
}

/** Returns the tool answers (`functionResponse`) in a message. */
export function functionResponsesOf({ content }: SessionMessage): readonly object[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown) => {
    const response = fieldOf(part, 'functionResponse');
    return typeof response === 'object' && response !== null ? [response] : [];
  });
}

/** Returns a field of an object, or undefined for any other value. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
