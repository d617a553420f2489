import { describe, expect, it } from 'vitest';
import type { SessionMessage } from '../../../src/api/session.js';
import { SessionFold } from '../../../src/sessions/files/fold-session.js';
import type { SessionLine } from '../../../src/sessions/files/session-line.js';

function message(id: string, content = id): SessionMessage {
  return { id, type: 'gemini', content };
}

function add(id: string, content?: string): SessionLine {
  return { kind: 'message', message: message(id, content) };
}

function fold(...records: SessionLine[]): SessionFold {
  const session = new SessionFold();
  for (const record of records) session.accept(record);
  return session;
}

function contents(messages: readonly SessionMessage[]): unknown[] {
  return messages.map(({ content }) => content);
}

describe('a session', () => {
  it('has its messages in order', () => {
    expect(contents(fold(add('a'), add('b'), add('c')).messages)).toEqual(['a', 'b', 'c']);
  });

  it('takes the last version of a message at its old position', () => {
    const session = fold(add('a'), add('b'), add('a', 'newer'), add('a', 'newest'));
    expect(contents(session.messages)).toEqual(['newest', 'b']);
  });

  it('takes the fields of the last header', () => {
    const session = fold(
      { kind: 'header', header: { sessionId: 's', lastUpdated: '1' } },
      add('a'),
      { kind: 'header', header: { sessionId: 's', lastUpdated: '2' } },
    );
    expect(session.header).toEqual({ sessionId: 's', lastUpdated: '2' });
    expect(contents(session.messages)).toEqual(['a']);
  });

  it('replaces all messages by a new list', () => {
    const session = fold(
      add('a'),
      add('b'),
      { kind: 'change', messages: [message('b', 'new'), message('c')] },
      add('d'),
    );
    expect(contents(session.messages)).toEqual(['new', 'c', 'd']);
  });

  it('keeps its messages if only the header changes', () => {
    const session = fold(add('a'), { kind: 'change', messages: undefined });
    expect(contents(session.messages)).toEqual(['a']);
  });

  it('has no messages after a replacement by an empty list', () => {
    expect(fold(add('a'), { kind: 'change', messages: [] }).messages).toEqual([]);
  });

  it('drops the message of a rewind and all later ones', () => {
    const session = fold(add('a'), add('b'), add('c'), { kind: 'rewind', id: 'b' }, add('d'));
    expect(contents(session.messages)).toEqual(['a', 'd']);
  });

  it('puts a message that is written again after a rewind at the end', () => {
    const session = fold(
      add('a'),
      add('b'),
      { kind: 'rewind', id: 'a' },
      add('c'),
      add('a', 'new'),
    );
    expect(contents(session.messages)).toEqual(['c', 'new']);
  });
});

describe('the latest messages of a session', () => {
  it('are all messages of a new session', () => {
    expect(contents(fold(add('a'), add('b')).latest)).toEqual(['a', 'b']);
  });

  it('are those since the replacement of the list in a resumed session', () => {
    const session = fold(
      add('a'),
      { kind: 'change', messages: [message('a'), message('b')] },
      add('c'),
      add('d'),
    );
    expect(contents(session.latest)).toEqual(['c', 'd']);
  });

  it('do not include messages that a rewind dropped', () => {
    expect(contents(fold(add('a'), add('b'), { kind: 'rewind', id: 'b' }).latest)).toEqual(['a']);
  });
});
