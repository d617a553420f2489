import { describe, expect, it } from 'vitest';
import type { RemoteEntry, RemoteEntryContent } from '../../../src/api/remote-entry.js';
import type { RemoteRequest } from '../../../src/api/remote-request.js';
import { Conversation } from '../../../src/remote/page/model/fold-entries.js';
import { searchItems } from '../../../src/remote/page/model/search-items.js';

const REQUEST: RemoteRequest = {
  ...{ id: 'r', sessionId: 's', kind: 'tool', toolName: 'x', title: 'Write', input: {} },
  ...{ inputHash: 'h', questions: [], options: [], isDenyOnly: false, reasonWay: 'none' },
  ...{ createdAt: '', diff: '+pears' },
};
const userOf = (messageId: string, ...texts: readonly string[]): RemoteEntryContent => ({
  ...{ type: 'message', messageId, role: 'user' },
  blocks: texts.map((text) => ({ type: 'text', text })),
});
const promptOf = (
  promptId: string,
  text: string,
  status: 'queued' | 'sent' | 'answered' | 'withdrawn' = 'sent',
): RemoteEntryContent => ({ type: 'prompt', promptId, text, status, by: 'phone' });
const toolOf = (
  status: 'running' | 'succeeded',
  output?: string,
): RemoteEntryContent & { type: 'tool' } => ({
  ...{ type: 'tool', callId: 'c', name: 'x', title: 'npm test', status, input: {}, output },
});

/** Gives entries to a conversation, each with a time of its own. */
function show(...contents: readonly RemoteEntryContent[]): Conversation {
  const conversation = new Conversation();
  const entries = contents.map((content, index): RemoteEntry => {
    return { seq: index + 1, at: `time ${index + 1}`, source: 'server', content };
  });
  conversation.accept(entries);
  return conversation;
}
const keysOf = ({ items }: Conversation): string[] => items.map(({ key }) => key);

describe('rows of a conversation', () => {
  it('keep the time of their first entry', () => {
    const { items } = show(toolOf('running'), userOf('m', 'x'), toolOf('succeeded', 'ok'));
    expect(items).toMatchObject([
      { key: 'tool c', at: 'time 1', tool: { status: 'succeeded', output: 'ok' } },
      { key: 'message m' },
    ]);
  });

  it('tell notices and the reasons of a state, and no facts about the session', () => {
    const conversation = show(
      { type: 'notice', level: 'error', message: 'The API is down' },
      { type: 'state', state: 'working' },
      { type: 'state', state: 'ended', reason: 'Ended from a device' },
      { type: 'mode', mode: 'plan' },
      { type: 'usage', tokens: 1 },
    );
    expect(conversation.items).toMatchObject([
      { key: 'notice 1', level: 'error', message: 'The API is down' },
      { key: 'notice 3', level: 'info', message: 'Ended from a device' },
    ]);
    expect(conversation.lastSeq).toBe(5);
  });

  it('have no decision about a request that is not known', () => {
    const decision = { type: 'decision', requestId: 'r', outcome: 'desk' } as const;
    expect(show(decision).items).toEqual([]);
    const hidden = { type: 'decision', requestId: 'other', outcome: 'desk' } as const;
    expect(show({ type: 'request', request: REQUEST }, hidden).items).toMatchObject([
      { key: 'request r', decision: undefined },
    ]);
  });

  it('lose a message that was emptied for good, and nothing else', () => {
    const conversation = show(
      userOf('a', 'one'),
      userOf('b', 'two'),
      userOf('a'),
      userOf('a', 'x'),
    );
    expect(keysOf(conversation)).toEqual(['message b']);
    expect(keysOf(show(userOf('never'), userOf('b', 'two')))).toEqual(['message b']);
    expect(keysOf(show(userOf('a', 'one'), userOf('a'), userOf('a')))).toEqual([]);
  });

  it('keep a prompt that waits although a message says the same', () => {
    const waits = show(promptOf('p', 'go', 'queued'), userOf('m', 'go'));
    expect(keysOf(waits)).toEqual(['prompt p', 'message m']);
    expect(keysOf(show(promptOf('p', 'go'), userOf('m', 'stop')))).toEqual([
      'prompt p',
      'message m',
    ]);
  });

  it('hide the prompt that became the message, and none with the same words that waits or was taken back', () => {
    const given = [promptOf('p', 'go'), promptOf('q', 'go', 'queued'), userOf('m', 'go')];
    expect(keysOf(show(...given))).toEqual(['prompt q', 'message m']);
    const taken = show(promptOf('p', 'go', 'withdrawn'), userOf('m', 'go'));
    expect(keysOf(taken)).toEqual(['prompt p', 'message m']);
  });

  it('keep a prompt whose words are those of a turn that the agent has forgotten', () => {
    const forgotten = { ...userOf('m', 'go'), isForgotten: true };
    const again = show(userOf('m', 'go'), promptOf('q', 'go'), forgotten);
    expect(keysOf(again)).toEqual(['message m', 'prompt q']);
  });

  it('hide the last of two prompts with the same words, and each of them once', () => {
    const [one, two] = [promptOf('p', ' go '), promptOf('q', 'go')];
    expect(keysOf(show(one, two, userOf('m', 'go')))).toEqual(['prompt p', 'message m']);
    const both = show(
      one,
      two,
      userOf('m', 'go'),
      userOf('n', 'go'),
      promptOf('q', 'go', 'answered'),
    );
    expect(keysOf(both)).toEqual(['message m', 'message n']);
    expect(keysOf(show(promptOf('p', 'one\ntwo'), userOf('m', 'one', 'two')))).toEqual([
      'message m',
    ]);
  });

  it('are found by the text of their kind', () => {
    const { items } = show(
      ...[userOf('m', 'Apples'), toolOf('running', 'found cherries')],
      promptOf('p', 'buy plums'),
      { type: 'request', request: REQUEST },
      { type: 'notice', level: 'info', message: 'No figs left' },
    );
    const find = (text: string): string[] => searchItems(items, text).map(({ key }) => key);
    expect(['APPLE', 'cherries', 'npm', 'plums', 'pears', 'figs', 'kiwi'].map(find)).toEqual([
      ...[['message m'], ['tool c'], ['tool c'], ['prompt p'], ['request r'], ['notice 5'], []],
    ]);
  });

  it('are found by the name of their tool, and a request by all that it shows', () => {
    const question = { id: '0', text: 'Which fruit?', options: [], isMultiple: false };
    const request: RemoteRequest = {
      ...REQUEST,
      ...{ toolName: 'ask_user', command: 'npm test', text: 'Select Model', questions: [question] },
    };
    const { items } = show({ type: 'request', request }, { ...toolOf('running'), name: 'replace' });
    const find = (text: string): string[] => searchItems(items, text).map(({ key }) => key);
    expect(['ask_user', 'select model', 'which fruit', 'replace', 'npm test'].map(find)).toEqual([
      ...[['request r'], ['request r'], ['request r'], ['tool c'], ['request r', 'tool c']],
    ]);
  });
});
