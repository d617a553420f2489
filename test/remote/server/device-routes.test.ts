import { describe, expect, it, vi } from 'vitest';
import { readEventStream } from '../../../src/remote/page/client/read-event-stream.js';
import { createSessions } from '../create-sessions.js';
import { openServer } from './open-server.js';

type Message = { type: string; streamId?: string; run?: string; entries?: { seq: number }[] };

async function create(hasPush = false) {
  const { sessions, start } = await createSessions();
  const server = await openServer(sessions, hasPush);
  const phone = await server.pair();
  const openEvents = async (query: string) => {
    const messages: Message[] = [];
    const { authorization } = phone;
    const path = `${server.url}/api/events?${query}`;
    const { status, body } = await fetch(path, { headers: { authorization } });
    if (body === null) throw new Error('The answer has no body');
    const ended = readEventStream(
      body,
      () => {},
      (data) => messages.push(JSON.parse(data)),
    ).catch(() => {});
    if (status === 200) await vi.waitFor(() => expect(messages.length).toBeGreaterThan(0));
    return { status, messages, ended };
  };
  return { ...server, sessions, start, phone, openEvents };
}

describe('routes of devices', () => {
  it('pair a device with a code, once, and note every try', async () => {
    const { url, devices, audited } = await create();
    const pair = async (body: object): Promise<[number, unknown]> => {
      const headers = { 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      const answer = await fetch(`${url}/api/pair`, init);
      return [answer.status, await answer.json()];
    };
    const code = devices.createCode();
    expect(await pair({ code, name: '' })).toMatchObject([
      403,
      { message: expect.stringContaining('wrong, used') },
    ]);
    expect(await pair({ code, name: 'tablet' })).toMatchObject([
      200,
      { device: { name: 'tablet' }, token: expect.stringMatching(/^[\w-]{43}$/) },
    ]);
    expect((await pair({ code, name: 'thief' }))[0]).toBe(403);
    expect((await audited()).map(({ by, outcome }) => [by, outcome])).toEqual([
      ['unknown', 'refused'],
      ['tablet', 'done'],
      ['thief', 'refused'],
    ]);
  });

  it('tell the state of the server, and change where the person is', async () => {
    const { phone, presence } = await create();
    const [, state] = await phone.get('/api/state');
    expect(state).toMatchObject({
      ...{ device: { id: phone.id, name: 'phone' }, roots: ['/root'], isAway: false },
      ...{ notes: ['a note'], pushNote: 'Push needs https' },
    });
    expect(JSON.stringify(state)).not.toContain('tokenHash');
    await phone.post('/api/presence', { isAway: true });
    expect([presence.isAway(), (await phone.get('/api/state'))[1]['isAway']]).toEqual([true, true]);
    await phone.post('/api/presence', { isAway: false });
    expect(presence.isAway()).toBe(false);
  });

  it('keep and remove a subscription, and say why push messages are off', async () => {
    const off = await create();
    const subscription = {
      endpoint: 'https://push.example/x',
      keys: { p256dh: 'AAAA', auth: 'AAAA' },
    };
    expect(await off.phone.post('/api/push', subscription)).toMatchObject([
      409,
      { message: 'Push needs https' },
    ]);
    const { phone, devices } = await create(true);
    expect((await phone.post('/api/push', { ...subscription, endpoint: 'x' }))[0]).toBe(400);
    expect((await phone.post('/api/push', subscription))[0]).toBe(200);
    expect(devices.pushTargets()).toEqual([{ id: phone.id, subscription }]);
    expect((await phone.get('/api/state'))[1]['isCalled']).toBe(true);
    await phone.post('/api/push', { endpoint: null });
    expect(devices.pushTargets()).toEqual([]);
    expect((await phone.get('/api/state'))[1]['isCalled']).toBe(false);
  });

  it('send the events of a session from the number that the device has in this run of the server', async () => {
    const { start, openEvents } = await create();
    const id = await start();
    const seqsOf = async (query: string): Promise<number[]> => {
      const { messages } = await openEvents(`session=${id}${query}`);
      await vi.waitFor(() => expect(messages.at(-1)?.type).toBe('live'));
      return messages.flatMap(({ entries = [] }) => entries.map(({ seq }) => seq));
    };
    const { messages } = await openEvents('');
    const all = await seqsOf('');
    expect(all.length).toBeGreaterThan(2);
    expect(await seqsOf('&after=2')).toEqual(all.slice(2));
    expect(await seqsOf(`&after=2&run=${messages[0]?.run}`)).toEqual(all.slice(2));
    expect(await seqsOf('&after=2&run=another')).toEqual(all);
    expect((await openEvents('after=-1')).status).toBe(400);
  });

  it('end a stream whose entries cannot be read, and say why in the log', async () => {
    const { sessions, start, openEvents, lines } = await create();
    const id = await start();
    vi.spyOn(sessions, 'entries').mockRejectedValueOnce(new Error('EIO'));
    const { messages, ended } = await openEvents(`session=${id}`);
    await ended;
    expect(messages.map(({ type }) => type)).not.toContain('live');
    expect(lines).toContainEqual({
      ...{ level: 'error', message: 'The event stream of a device has failed' },
      fields: { error: 'Error: EIO' },
    });
  });

  it('know which session is looked at, and end the streams of a device that ends its pairing', async () => {
    const { phone, streams, openEvents } = await create();
    const { messages, ended } = await openEvents('session=s&looking=1');
    expect(streams.isWatched('s')).toBe(true);
    const streamId = messages[0]?.streamId;
    const hidden = await phone.post('/api/looking', { streamId, isLooking: false });
    expect([hidden, streams.isWatched('s')]).toEqual([[200, { isOpen: true }], false]);
    await phone.post('/api/unpair');
    await ended;
    expect((await phone.get('/api/state'))[0]).toBe(401);
    expect((await openEvents('')).status).toBe(401);
  });
});
