import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { EventStream } from '../../../src/remote/server/event-stream.js';
import { OpenStreams } from '../../../src/remote/server/open-streams.js';
import { createSessions } from '../create-sessions.js';

/** Opens streams that are not connected: what they send stays in their response. */
async function create() {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { sessions: control } = await createSessions();
  const streams = new OpenStreams();
  const open = (id: string, deviceId: string, sessionId: string | undefined, isLooking = true) => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    const sent = vi.spyOn(response, 'write');
    const onClose = vi.fn(() => streams.remove(id));
    const given = { control, response, sessionId, afterSeq: 0, greeting: {}, isPaired: () => true };
    const stream = new EventStream(given, onClose);
    onTestFinished(() => stream.close());
    streams.add(id, stream, deviceId, sessionId, isLooking);
    return { sent, onClose };
  };
  return { streams, open };
}

describe('OpenStreams', () => {
  it('counts a device as looking for a minute after its last sign', async () => {
    const { streams, open } = await create();
    open('a', 'phone', 's');
    open('b', 'phone', undefined);
    expect([streams.isWatched('s'), streams.isWatched('other')]).toEqual([true, false]);
    vi.advanceTimersByTime(59_000);
    expect(streams.look('a', 'phone', true)).toBe(true);
    vi.advanceTimersByTime(59_999);
    expect(streams.isWatched('s')).toBe(true);
    vi.advanceTimersByTime(1);
    expect(streams.isWatched('s')).toBe(false);
  });

  it('does not count a hidden page, and takes signs from the device of the stream alone', async () => {
    const { streams, open } = await create();
    open('a', 'phone', 's', false);
    expect(streams.isWatched('s')).toBe(false);
    expect(streams.look('a', 'thief', true)).toBe(false);
    expect(streams.look('gone', 'phone', true)).toBe(false);
    expect(streams.isWatched('s')).toBe(false);
    expect(streams.look('a', 'phone', true)).toBe(true);
    expect(streams.isWatched('s')).toBe(true);
    expect(streams.look('a', 'phone', false)).toBe(true);
    expect(streams.isWatched('s')).toBe(false);
  });

  it('ends the oldest stream of a device that opens too many, and none of another device', async () => {
    const { open } = await create();
    const other = open('other', 'tablet', 's');
    const own = Array.from({ length: 22 }, (_, number) => open(`${number}`, 'phone', 's'));
    const ended = own.map(({ onClose }) => onClose.mock.calls.length);
    expect(ended).toEqual([1, 1, ...Array(20).fill(0)]);
    expect(other.onClose).not.toHaveBeenCalled();
  });

  it('sends to all devices, and ends all streams of one device', async () => {
    const { streams, open } = await create();
    const [first, second, other] = [
      open('a', 'phone', 's'),
      open('b', 'phone', 't'),
      open('c', 'tablet', 's'),
    ];
    streams.send({ type: 'server' });
    for (const { sent } of [first, second, other])
      expect(sent).toHaveBeenCalledWith('data: {"type":"server"}\n\n');
    streams.closeDevice('phone');
    expect([first, second, other].map(({ onClose }) => onClose.mock.calls.length)).toEqual([
      1, 1, 0,
    ]);
    expect([streams.isWatched('t'), streams.isWatched('s')]).toEqual([false, true]);
  });
});
