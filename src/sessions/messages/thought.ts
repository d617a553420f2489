import type { SessionThought } from '../../api/session.js';
import type { UnifiedThinking } from '../../api/unified-message.js';

/** Parses a thought of the model: the subject in bold, then the description. */
export function parseThought(text: string): SessionThought {
  const [, subject, description] = /^\s*\*\*(.+?)\*\*\s*([\s\S]*)$/.exec(text) ?? [];
  if (subject === undefined || description === undefined) return { description: text };
  return { subject: subject.trim(), description: description.trim() };
}

/** Converts a thought to a thinking block. Empty for a thought without text. */
export function toThinking({ subject, description }: SessionThought): UnifiedThinking[] {
  const parts = [subject, description].filter((part) => part !== undefined && part.trim() !== '');
  return parts.length === 0 ? [] : [{ type: 'thinking', thinking: parts.join(': ') }];
}
