import type { SessionMessage } from '../contract/session.js';

/** The texts in the content of a message, whatever form it has. */
export function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (Array.isArray(content)) return content.flatMap(textsOf);
  if (typeof content !== 'object' || content === null || !('text' in content)) return [];
  return typeof content.text === 'string' ? [content.text] : [];
}

/** What the CLI itself puts before the prompt. */
export function isInjectedContext(content: unknown): boolean {
  return /^\s*<(?:session|hook)_context>/.test(textsOf(content)[0] ?? '');
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
