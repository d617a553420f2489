import { describe, expect, it } from 'vitest';
import type { RemoteEntry, RemoteEntryContent } from '../../../src/api/remote-entry.js';
import type { RemoteRequest } from '../../../src/api/remote-request.js';
import { Conversation } from '../../../src/remote/page/model/fold-entries.js';
import { searchItems } from '../../../src/remote/page/model/search-items.js';

const at = '2026-01-01T00:00:00.000Z';
const number = (contents: readonly RemoteEntryContent[], from = 1): RemoteEntry[] =>
  contents.map((content, index) => ({ seq: from + index, at, source: 'server', content }));
const message = (
  messageId: string,
  text: string,
  role: 'user' | 'assistant' = 'assistant',
): RemoteEntryContent => ({
  type: 'message',
  messageId,
  role,
  blocks: text === '' ? [] : [{ type: 'text', text }],
});
const prompt = (
  status: 'queued' | 'sent' | 'accepted' | 'answered',
  promptId = 'p',
  text = 'hello',
): RemoteEntryContent => ({
  type: 'prompt',
  promptId,
  text,
  status,
  by: 'phone',
});
const keysOf = ({ items }: Conversation): string[] => items.map(({ key }) => key);

describe('Conversation', () => {
  it('shows the last version of a row at its first place, and takes no entry twice', () => {
    const conversation = new Conversation();
    const entries = number([message('a', 'one'), message('b', 'two'), message('a', 'ONE')]);
    conversation.accept(entries);
    conversation.accept(entries);
    expect(keysOf(conversation)).toEqual(['message a', 'message b']);
    expect(conversation.items[0]).toMatchObject({ message: { blocks: [{ text: 'ONE' }] } });
  });

  it('begins again when another run of the server sends the entries', () => {
    const conversation = new Conversation();
    conversation.begin('one');
    conversation.accept(number([message('a', 'one'), message('b', 'lost with the server')]));
    conversation.begin('one');
    expect(conversation.lastSeq).toBe(2);
    conversation.begin('two');
    conversation.accept(number([message('a', 'one'), message('c', 'new')]));
    expect(keysOf(conversation)).toEqual(['message a', 'message c']);
  });

  it('shows a request again whose answer could not be written', () => {
    const conversation = new Conversation();
    const asked = { type: 'request', request: { id: 'r' } as RemoteRequest } as const;
    const decided = { type: 'decision', requestId: 'r', outcome: 'decided' } as const;
    conversation.accept(number([asked, decided]));
    expect(conversation.items[0]).toMatchObject({ decision: decided });
    conversation.accept(number([asked], 3));
    expect(conversation.items).toMatchObject([{ key: 'request r', decision: undefined }]);
  });

  it('shows a prompt until it has become a message', () => {
    const conversation = new Conversation();
    conversation.accept(number([prompt('queued'), prompt('sent')]));
    expect(keysOf(conversation)).toEqual(['prompt p']);
    conversation.accept(
      number([message('m', 'hello', 'user'), prompt('accepted'), prompt('answered')], 3),
    );
    expect(keysOf(conversation)).toEqual(['message m']);
  });

  it('does not show a prompt again after another one has become a message', () => {
    const conversation = new Conversation();
    const second = (status: 'sent' | 'answered') => prompt(status, 'q', 'again');
    conversation.accept(
      number([
        ...[prompt('sent'), message('m', 'hello', 'user')],
        ...[second('sent'), message('n', 'again', 'user')],
        ...[prompt('answered'), second('answered'), message('o', 'text')],
      ]),
    );
    expect(keysOf(conversation)).toEqual(['message m', 'message n', 'message o']);
  });

  it('removes a message that stands for another one', () => {
    const conversation = new Conversation();
    conversation.accept(
      number([message('a', 'one'), message('b', 'one'), message('b', ''), message('c', 'three')]),
    );
    expect(keysOf(conversation)).toEqual(['message a', 'message c']);
  });

  it('joins a request with its decision', () => {
    const conversation = new Conversation();
    const request: RemoteRequest = {
      id: 'r',
      sessionId: 's',
      kind: 'tool',
      toolName: 'x',
      title: 'x',
      input: {},
      inputHash: 'h',
      questions: [],
      options: [],
      isDenyOnly: false,
      reasonWay: 'refusal' as const,
      createdAt: at,
    };
    conversation.accept(
      number([
        { type: 'request', request },
        { type: 'decision', requestId: 'r', outcome: 'desk' },
        { type: 'state', state: 'ended', reason: 'The CLI was ended' },
      ]),
    );
    expect(conversation.items).toMatchObject([
      { decision: { outcome: 'desk' } },
      { message: 'The CLI was ended' },
    ]);
  });

  it('finds rows by their text', () => {
    const conversation = new Conversation();
    conversation.accept(number([message('a', 'Apples'), message('b', 'pears')]));
    expect(searchItems(conversation.items, ' apple ').map(({ key }) => key)).toEqual(['message a']);
    expect(searchItems(conversation.items, '')).toHaveLength(2);
  });
});
