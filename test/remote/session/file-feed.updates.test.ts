import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { RemoteMessageEntry } from '../../../src/api/remote-entry.js';
import type { UnifiedContent } from '../../../src/api/unified-message.js';
import { feedByHand, foldMessages } from './feed-by-hand.js';

const textOf = (text: string): UnifiedContent => ({ type: 'text', text });
const THOUGHT: UnifiedContent = { type: 'thinking', thinking: 'hm' };
const messageOf = (
  messageId: string,
  text: string,
  role: RemoteMessageEntry['role'] = 'user',
): RemoteMessageEntry => ({
  ...{ type: 'message', messageId, role, blocks: [{ type: 'text', text }], model: undefined },
});
const TOKENS = { input: 0, output: 0, cached: 0, thoughts: 0, tool: 0, total: 0 };

describe('FileFeed', () => {
  it('writes what has come after a moment in which the file was quiet', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { added, acceptMessage } = feedByHand();
    acceptMessage({ id: 'a', role: 'user', content: [textOf('one')] });
    vi.advanceTimersByTime(79);
    acceptMessage({ id: 'b', role: 'user', content: [textOf('two')] });
    expect(added).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(added).toMatchObject([{ messageId: 'a' }, { messageId: 'b' }]);
  });

  it('reports model and tokens, and damage of the file', () => {
    const { byHand, added, update, usage, acceptMessage } = feedByHand();
    const original = { tokens: { ...TOKENS, total: 7 }, model: 'gemini-2.5-flash' };
    acceptMessage({ id: 'a', role: 'assistant', content: [] }, original);
    byHand.accept({ type: 'status', tokens: TOKENS });
    expect(update).not.toHaveBeenCalled();
    byHand.accept({ type: 'status', tokens: TOKENS, model: 'gemini-2.5-flash' });
    expect(update.mock.calls).toEqual([[{ model: 'gemini-2.5-flash' }, 'file']]);
    expect(usage.mock.lastCall?.[0]).toMatchObject({ tokens: 7 });
    const diagnostic = { kind: 'torn-line', message: 'Line 3 was cut off' } as const;
    byHand.accept({ type: 'problem', diagnostic });
    byHand.accept({ type: 'gone' });
    byHand.flush();
    expect(added).toEqual([{ type: 'notice', level: 'warning', message: 'Line 3 was cut off' }]);
  });

  it('writes a message again that has changed, and not a version that knows less', () => {
    const { added, answer } = feedByHand();
    answer('a', [textOf('par')], 'gemini-2.5-pro');
    answer('a', [textOf('part'), THOUGHT], 'gemini-2.5-pro');
    answer('a', [textOf('part'), THOUGHT], 'gemini-2.5-pro');
    answer('a', [textOf('part')]);
    expect(added).toHaveLength(2);
    expect(foldMessages(added)).toMatchObject([
      { model: 'gemini-2.5-pro', blocks: [{ text: 'part' }, { type: 'thought', text: 'hm' }] },
    ]);
  });

  it('marks a message that is gone, and gives it its thoughts back when it is written again', () => {
    const { added, accept, answer, remove } = feedByHand();
    accept('a', 'do it');
    answer('b', [THOUGHT, textOf('Done. ')], 'gemini-2.5-pro');
    remove('a', 'b');
    expect(foldMessages(added).map(({ isForgotten }) => isForgotten)).toEqual([true, true]);
    accept('a2', 'do it');
    answer('b2', [textOf(' Done.')]);
    const shown = foldMessages(added);
    expect(shown.map(({ messageId, isForgotten }) => [messageId, isForgotten])).toEqual([
      ['a', undefined],
      ['b', undefined],
    ]);
    expect(shown[1]).toMatchObject({ model: 'gemini-2.5-pro', blocks: [{ text: 'hm' }, {}] });
    remove('unknown');
    expect(foldMessages(added)).toEqual(shown);
  });

  it('tells two messages with the same words apart by their order', () => {
    const { added, accept, remove } = feedByHand();
    accept('a', 'again');
    accept('b', 'again');
    remove('a', 'b');
    accept('c', 'again');
    accept('d', 'again');
    accept('e', 'again');
    expect(
      foldMessages(added).map(({ messageId, isForgotten }) => [messageId, isForgotten]),
    ).toEqual([
      ['a', undefined],
      ['b', undefined],
      ['e', undefined],
    ]);
  });

  it('writes a tool call when it has changed', () => {
    const { byHand, added, acceptMessage } = feedByHand();
    const feed = (status: string): void => {
      const toolCalls = [{ id: 'call', name: 'read_file', args: { file_path: 'a.txt' }, status }];
      acceptMessage({ id: 'm', role: 'assistant', content: [] }, { toolCalls });
      byHand.flush();
    };
    for (const status of ['executing', 'executing', 'success', 'success']) feed(status);
    expect(added).toMatchObject([
      { type: 'tool', callId: 'call', title: 'read_file a.txt', status: 'running' },
      { type: 'tool', callId: 'call', status: 'succeeded' },
    ]);
  });

  it('returns the texts of the model since the last prompt', () => {
    const { byHand, accept, answer } = feedByHand();
    expect(byHand.answersOfTurn()).toEqual([]);
    answer('x', [textOf('before all')]);
    accept('a', 'first');
    answer('b', [textOf('old')]);
    accept('c', 'second');
    answer('d', [THOUGHT, textOf(' one '), textOf('two')]);
    answer('e', [textOf('three')]);
    expect(byHand.answersOfTurn()).toEqual(['one\ntwo', 'three']);
  });
});

describe('FileFeed after a restart of the server', () => {
  it('adds nothing that the log has, and goes on with what is new', () => {
    const { byHand, added, usage, accept, answer, acceptMessage } = feedByHand();
    byHand.restore(messageOf('a', 'an early version'));
    byHand.restore(messageOf('a', 'do it'));
    byHand.restore(messageOf('b', 'Done.', 'assistant'));
    byHand.restore({ type: 'mode', mode: 'plan' });
    byHand.restore({ type: 'usage', tokens: 100, costUsd: 1 });
    const call = { id: 'call', name: 'read_file', status: 'success' };
    const tool = { type: 'tool', callId: 'call', name: 'read_file' } as const;
    byHand.restore({ ...tool, title: 'read_file', status: 'succeeded', input: {} });
    // The file is read piece by piece.
    accept('a', 'do it');
    acceptMessage({ id: 't', role: 'assistant', content: [] }, { toolCalls: [call] });
    byHand.flush();
    expect(added).toEqual([]);
    answer('b', [textOf('Done.')]);
    accept('c', 'next');
    expect(added).toMatchObject([{ messageId: 'c' }]);
    byHand.accept({ type: 'status', tokens: TOKENS });
    expect(usage.mock.lastCall?.[0]).toEqual({ tokens: 100, costUsd: 1 });
  });

  it('knows messages again that the CLI has written under new ids meanwhile', () => {
    const { byHand, added, accept, remove } = feedByHand();
    byHand.restore(messageOf('a', 'do it'));
    byHand.restore({ ...messageOf('b', 'refused'), isForgotten: true });
    accept('a2', 'do it');
    expect(added).toEqual([]);
    remove('a2');
    expect(foldMessages(added)).toMatchObject([{ messageId: 'a', isForgotten: true }]);
  });

  it('keeps a refused prompt apart from a later one with the same words', () => {
    const { byHand, added, accept } = feedByHand();
    byHand.restore({ ...messageOf('u1', 'fix it'), isForgotten: true });
    byHand.restore(messageOf('u2', 'fix it'));
    accept('u3', 'fix it');
    expect(added).toEqual([]);
  });

  it('empties a message that stands for an earlier one, once that one is gone', () => {
    const { added, accept, remove } = feedByHand();
    accept('a', 'do it');
    accept('b', 'do it');
    accept('c', 'and that');
    remove('a');
    expect(
      foldMessages(added).map(({ messageId, isForgotten }) => [messageId, isForgotten]),
    ).toEqual([
      ['a', undefined],
      ['c', undefined],
    ]);
    expect(added.at(-1)).toMatchObject({ messageId: 'b', blocks: [] });
    remove('b');
    expect(foldMessages(added)[0]).toMatchObject({ messageId: 'a', isForgotten: true });
  });
});
