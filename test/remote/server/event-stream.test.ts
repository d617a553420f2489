import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { RemoteChange, RemoteControl } from '../../../src/api/remote-control.js';
import type { RemoteEntry, RemoteEntryContent } from '../../../src/api/remote-entry.js';
import { readEventStream } from '../../../src/remote/page/client/read-event-stream.js';
import { EventStream } from '../../../src/remote/server/event-stream.js';
import { refusal } from '../../../src/remote/session/refusal.js';
import { sessionOf } from '../session/session-of.js';

const MEBIBYTE = 1024 * 1024;
const refused = async (): Promise<never> => Promise.reject(new Error('not asked for'));
const entryOf = (seq: number, content: RemoteEntryContent = notice(String(seq))): RemoteEntry => ({
  ...{ seq, at: '', source: 'server' },
  content,
});
const notice = (message: string) => ({ type: 'notice', level: 'info', message }) as const;
const answer = { type: 'message', messageId: 'm', role: 'assistant', blocks: [] } as const;

/** A control with one session `s`, whose log holds the given entries. */
class LogControl implements RemoteControl {
  readonly log: RemoteEntry[];
  readonly listeners = new Set<(change: RemoteChange) => void>();
  reads = 0;
  /** Called before the log is read. */
  onRead: () => void = () => {};

  constructor(entries: readonly RemoteEntry[] = []) {
    this.log = [...entries];
  }

  list = () => [sessionOf()];
  requests = () => [];
  rules = () => [];
  subscribe = (listener: (change: RemoteChange) => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  entries = async (id: string, afterSeq = 0, limit = 500) => {
    this.reads++;
    this.onRead();
    if (id !== 's') throw refusal('There is no such session');
    return this.log.filter(({ seq }) => seq > afterSeq).slice(0, limit);
  };
  tell(change: RemoteChange): void {
    for (const listener of this.listeners) listener(change);
  }
  add(entry: RemoteEntry, sessionId = 's'): void {
    if (sessionId === 's') this.log.push(entry);
    this.tell({ type: 'entry', sessionId, entry });
  }
  readonly prompt = refused;
  readonly withdraw = refused;
  readonly decide = refused;
  readonly revokeRule = refused;
  readonly interrupt = refused;
  readonly setMode = refused;
  readonly setModel = refused;
  readonly start = refused;
  readonly takeOver = refused;
  readonly handBack = refused;
  readonly end = refused;
}

/** Opens a stream over a real connection. */
async function openStream(
  control: LogControl,
  options: { sessionId?: string | undefined; afterSeq?: number; isRead?: boolean } = {},
) {
  const { sessionId, afterSeq, isRead } = { sessionId: 's', afterSeq: 0, isRead: true, ...options };
  const messages: { type: string; [field: string]: unknown }[] = [];
  const [onClose, onData] = [vi.fn(), vi.fn()];
  const isPaired = vi.fn(() => true);
  const streams: EventStream[] = [];
  const server = createServer((_request, response) => {
    const greeting = { run: 'one' };
    const given = { control, response, sessionId, afterSeq, greeting, isPaired };
    const stream = new EventStream(given, onClose);
    streams.push(stream);
    stream.start().catch(() => stream.close());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  if (!isRead) {
    const sending = request({ port, host: '127.0.0.1' }).end();
    sending.on('error', () => {});
    return { messages, onClose, isPaired, onData, streams, sending };
  }
  const { body, headers } = await fetch(`http://127.0.0.1:${port}`);
  expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  if (body === null) throw new Error('The answer has no body');
  const read = readEventStream(body, onData, (data) => messages.push(JSON.parse(data)));
  return { messages, onClose, isPaired, onData, streams, ended: read.catch(() => {}) };
}

const typesOf = (messages: readonly { type: string }[]): string[] =>
  messages.map(({ type }) => type);
const seqsOf = (messages: readonly { [field: string]: unknown }[]): unknown[] =>
  messages.flatMap(({ entries }) =>
    Array.isArray(entries) ? entries.map(({ seq }: RemoteEntry) => seq) : [],
  );

describe('EventStream', () => {
  it('sends what the device lacks, page by page, and then what comes', async () => {
    const control = new LogControl(Array.from({ length: 1_203 }, (_, index) => entryOf(index + 1)));
    const { messages } = await openStream(control, { afterSeq: 200 });
    await vi.waitFor(() => expect(typesOf(messages).at(-1)).toBe('live'));
    expect(typesOf(messages)).toEqual(['hello', ...Array(3).fill('entries'), 'live']);
    expect(messages[0]).toMatchObject({ run: 'one', sessions: [{ id: 's' }], isPastKnown: false });
    control.add(entryOf(1_204));
    await vi.waitFor(() => expect(messages).toHaveLength(6));
    expect(seqsOf(messages)).toEqual(Array.from({ length: 1_004 }, (_, index) => index + 201));
  });

  it('sends entries that come while the log is read once and in order', async () => {
    const control = new LogControl([entryOf(1)]);
    control.onRead = () => {
      if (control.reads > 3) return;
      control.add(entryOf(control.reads + 1));
    };
    const { messages } = await openStream(control);
    await vi.waitFor(() => expect(typesOf(messages).at(-1)).toBe('live'));
    expect(seqsOf(messages)).toEqual([1, 2, 3, 4]);
  });

  it('sends the list also if its session is not there, and nothing more without a session', async () => {
    const { messages } = await openStream(new LogControl(), { sessionId: 'gone' });
    await vi.waitFor(() => expect(typesOf(messages)).toEqual(['hello', 'live']));
    const control = new LogControl([entryOf(1)]);
    const other = await openStream(control, { sessionId: undefined });
    await vi.waitFor(() => expect(typesOf(other.messages)[0]).toBe('hello'));
    const session = sessionOf({ id: 'new' });
    control.tell({ type: 'session', session });
    await vi.waitFor(() => expect(other.messages.at(-1)).toEqual({ type: 'session', session }));
  });

  it('ends if the log cannot be read', async () => {
    const control = new LogControl();
    control.onRead = () => {
      throw new Error('EIO');
    };
    const { messages, ended, onClose } = await openStream(control);
    await ended;
    expect(typesOf(messages)).toEqual(['hello']);
    expect([onClose.mock.calls.length, control.listeners.size]).toEqual([1, 0]);
  });

  it('sends of other sessions what waits for a person, and nothing else', async () => {
    const control = new LogControl();
    const { messages } = await openStream(control);
    await vi.waitFor(() => expect(typesOf(messages).at(-1)).toBe('live'));
    const decision = { type: 'decision', requestId: 'r', outcome: 'desk' } as const;
    control.add(entryOf(7), 'other');
    control.tell({ type: 'preview', sessionId: 'other', kind: 'text', text: 'secret' });
    control.add(entryOf(8, decision), 'other');
    await vi.waitFor(() => expect(messages).toHaveLength(3));
    expect(messages[2]).toMatchObject({ type: 'other-entry', entry: { content: decision } });
  });

  it('sends the last preview of each kind, its end at once, and none that an entry has replaced', async () => {
    const control = new LogControl();
    const { messages } = await openStream(control);
    await vi.waitFor(() => expect(typesOf(messages).at(-1)).toBe('live'));
    const write = (text: string, kind: 'text' | 'thought' = 'text'): void =>
      control.tell({ type: 'preview', sessionId: 's', kind, text });
    for (const text of ['a', 'ab', 'abc']) write(text);
    write('hm', 'thought');
    await vi.waitFor(() => expect(messages).toHaveLength(4));
    expect(messages.slice(2).map(({ kind, text }) => [kind, text])).toEqual([
      ['text', 'abc'],
      ['thought', 'hm'],
    ]);
    write('abcd');
    control.add(entryOf(1, answer));
    write('', 'thought');
    await vi.waitFor(() => expect(messages).toHaveLength(6));
    expect(messages.slice(4)).toMatchObject([{ type: 'entries' }, { kind: 'thought', text: '' }]);
  });

  it('gives signs of life, and ends with the next one when the pairing has ended', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { messages, onData, isPaired, ended, streams, onClose } = await openStream(
      new LogControl(),
    );
    await vi.waitUntil(() => messages.length === 2);
    const before = onData.mock.calls.length;
    vi.advanceTimersByTime(15_000);
    while (onData.mock.calls.length === before) await new Promise(setImmediate);
    isPaired.mockReturnValue(false);
    vi.advanceTimersByTime(15_000);
    await ended;
    streams[0]?.send({ type: 'late' });
    streams[0]?.close();
    expect([typesOf(messages), onClose.mock.calls.length]).toEqual([['hello', 'live'], 1]);
  });

  it('waits for a line that is slower than the log, and loses nothing', async () => {
    const large = notice('x'.repeat(4_000));
    const control = new LogControl(
      Array.from({ length: 1_010 }, (_, index) => entryOf(index + 1, large)),
    );
    const { messages } = await openStream(control);
    await vi.waitFor(() => expect(typesOf(messages).at(-1)).toBe('live'), 10_000);
    expect(seqsOf(messages)).toEqual(Array.from({ length: 1_010 }, (_, index) => index + 1));
  });

  it('ends for a device that reads nothing, and listens to no further change', async () => {
    const control = new LogControl(
      Array.from({ length: 400 }, (_, index) => entryOf(index + 1, notice('x'.repeat(10_000)))),
    );
    const { onClose, streams, sending } = await openStream(control, { isRead: false });
    await vi.waitFor(() => expect(control.reads).toBeGreaterThan(0));
    for (let sent = 0; sent < 40 && onClose.mock.calls.length === 0; sent++)
      streams[0]?.send({ text: 'x'.repeat(MEBIBYTE) });
    expect([onClose.mock.calls.length, control.listeners.size]).toEqual([1, 0]);
    sending?.destroy();
  });
});
