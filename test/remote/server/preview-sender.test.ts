import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { PreviewSender } from '../../../src/remote/server/preview-sender.js';

function create() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const sent: object[] = [];
  const sender = new PreviewSender((message) => sent.push(message));
  const take = (text: string, kind: 'text' | 'thought' = 'text'): void =>
    sender.take({ type: 'preview', sessionId: 's', kind, text });
  return { sender, sent, take, wait: () => vi.advanceTimersByTime(80) };
}
const part = (offset: number, text: string, kind = 'text') => ({
  ...{ type: 'preview', sessionId: 's', kind, offset, text },
});

describe('PreviewSender', () => {
  it('sends what is new, and the end at once', () => {
    const { sent, take, wait } = create();
    take('one');
    take('one two');
    expect(sent).toEqual([]);
    wait();
    take('one two three');
    take('');
    expect(sent).toEqual([part(0, 'one two'), part(0, '')]);
    take('one four');
    wait();
    expect(sent.at(-1)).toEqual(part(0, 'one four'));
  });

  it('sends nothing to a device that has the text: each look at an idle session tells the same', () => {
    const { sent, take, wait } = create();
    for (const kind of ['text', 'thought', 'text', 'thought'] as const) take('', kind);
    wait();
    expect(sent).toEqual([]);
    take('one');
    wait();
    take('one');
    wait();
    expect(sent).toEqual([part(0, 'one')]);
  });

  it('begins again after an answer whose text the device has dropped', () => {
    const { sender, sent, take, wait } = create();
    take('one');
    wait();
    sender.dropText();
    take('');
    take('one');
    wait();
    expect(sent).toEqual([part(0, 'one'), part(0, 'one')]);
  });
});
