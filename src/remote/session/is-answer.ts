import type { RemoteEntryContent } from '../../api/remote-entry.js';

/** True for a text of the model. */
export function isAnswer(content: RemoteEntryContent): boolean {
  return content.type === 'message' && content.role === 'assistant';
}
