import type { SessionMessage } from '../../api/session.js';

/** The texts in the content of a message, whatever form it has. Thoughts are no part of what was said. */
export function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (Array.isArray(content)) return content.flatMap(textsOf);
  const text = fieldOf(content, 'text');
  return typeof text === 'string' && fieldOf(content, 'thought') !== true ? [text] : [];
}

/** Whether a message has nothing but what the CLI itself puts before the prompt. */
export function isInjectedContext(content: unknown): boolean {
  const text = textsOf(content).join('');
  const rest = withoutContext(text);
  return rest !== text && rest.trim() === '';
}

/** A prompt without what stands before it: the CLI puts the words of a hook into the same text. */
export function withoutContext(text: string): string {
  const context = /\s*<(session|hook)_context>[\s\S]*?(?:<\/\1_context>|$)/y;
  let end = 0;
  while (context.test(text)) end = context.lastIndex;
  return text.slice(end);
}

/** The parts of a message by which the model is told what its tools have done. */
export function functionResponsesOf({ content }: SessionMessage): readonly object[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown) => {
    const response = fieldOf(part, 'functionResponse');
    return typeof response === 'object' && response !== null ? [response] : [];
  });
}

export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
