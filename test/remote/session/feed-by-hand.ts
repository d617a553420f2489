import { vi } from 'vitest';
import type { RemoteEntryContent, RemoteMessageEntry } from '../../../src/api/remote-entry.js';
import type { SessionMessage } from '../../../src/api/session.js';
import type { UnifiedContent, UnifiedMessage } from '../../../src/api/unified-message.js';
import { FileFeed } from '../../../src/remote/session/file-feed.js';

/** The last version of each message, in the order of the log. */
export function foldMessages(entries: readonly RemoteEntryContent[]): RemoteMessageEntry[] {
  const messages = new Map<string, RemoteMessageEntry>();
  for (const entry of entries) if (entry.type === 'message') messages.set(entry.messageId, entry);
  return [...messages.values()].filter(({ blocks }) => blocks.length > 0);
}

/** Feeds the log of a session with messages by hand. */
export function feedByHand() {
  const added: RemoteEntryContent[] = [];
  const [update, usage] = [vi.fn(), vi.fn()];
  const byHand = new FileFeed({
    ...{ sessionId: 's', update, preview: () => {}, usage, spend: () => {} },
    add: (content) => added.push(content),
    ask: async () => ({ outcome: 'withdrawn' }),
  });
  const acceptMessage = (message: Omit<UnifiedMessage, 'tool' | '_original'>, original = {}) => {
    const { id, role: type } = message;
    const _original: SessionMessage = { id, type, content: '', ...original };
    byHand.accept({
      ...{ type: 'message', change: 'new' },
      message: { ...message, tool: 'gemini', _original },
    });
  };
  const accept = (id: string, ...texts: readonly string[]): void => {
    const content = texts.map((text) => ({ type: 'text' as const, text }));
    acceptMessage({ id, role: 'user', content });
    byHand.flush();
  };
  /** Feeds an answer of the model. */
  const answer = (id: string, content: readonly UnifiedContent[], model?: string): void => {
    acceptMessage({ id, role: 'assistant', content, model });
    byHand.flush();
  };
  const remove = (...ids: readonly string[]): void => {
    byHand.accept({ type: 'removed', ids });
    byHand.flush();
  };
  return { byHand, added, update, usage, acceptMessage, accept, answer, remove };
}
