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

  it('takes the last version of a message, at its old place', () => {
    const session = fold(add('a'), add('b'), add('a', 'newer'), add('a', 'newest'));
    expect(contents(session.messages)).toEqual(['newest', 'b']);
  });

  it('takes the last header', () => {
    const session = fold(
      { kind: 'header', header: { sessionId: 's', lastUpdated: '1' } },
      add('a'),
      { kind: 'header', header: { sessionId: 's', lastUpdated: '2' } },
    );
    expect(session.header).toEqual({ sessionId: 's', lastUpdated: '2' });
    expect(contents(session.messages)).toEqual(['a']);
  });

  it('forgets all messages for those that replace them', () => {
    const session = fold(
      add('a'),
      add('b'),
      { kind: 'change', messages: [message('b', 'new'), message('c')] },
      add('d'),
    );
    expect(contents(session.messages)).toEqual(['new', 'c', 'd']);
  });

  it('keeps its messages where something else is changed', () => {
    const session = fold(add('a'), { kind: 'change', messages: undefined });
    expect(contents(session.messages)).toEqual(['a']);
  });

  it('is emptied where nothing replaces its messages', () => {
    expect(fold(add('a'), { kind: 'change', messages: [] }).messages).toEqual([]);
  });

  it('drops the message it goes back to and all after it', () => {
    const session = fold(add('a'), add('b'), add('c'), { kind: 'rewind', id: 'b' }, add('d'));
    expect(contents(session.messages)).toEqual(['a', 'd']);
  });

  it('puts a message that comes again after going back at the end', () => {
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
  it('are all of them in a fresh one', () => {
    expect(contents(fold(add('a'), add('b')).latest)).toEqual(['a', 'b']);
  });

  it('are those since the list was replaced in a resumed one', () => {
    const session = fold(
      add('a'),
      { kind: 'change', messages: [message('a'), message('b')] },
      add('c'),
      add('d'),
    );
    expect(contents(session.latest)).toEqual(['c', 'd']);
  });

  it('do not include what was dropped by going back', () => {
    expect(contents(fold(add('a'), add('b'), { kind: 'rewind', id: 'b' }).latest)).toEqual(['a']);
  });
});
