import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startPushService } from '../../../integration/remote/push-service.js';
import type { RemoteState } from '../../../src/api/remote-session.js';
import { DeviceStore } from '../../../src/remote/server/device-store.js';
import { PushSender } from '../../../src/remote/server/push-sender.js';
import { recordLog } from '../record-log.js';
import { sessionOf } from '../session/session-of.js';

async function create(watched: readonly string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'push-'));
  const devices = await DeviceStore.open(join(folder, 'devices.json'));
  const { logger, lines } = recordLog();
  const keysFile = join(folder, 'push-keys.json');
  const subject = 'https://desk.example.net';
  const isWatched = (id: string): boolean => watched.includes(id);
  const open = () => PushSender.open({ keysFile, devices, isWatched, subject, logger });
  const sender = await open();
  onTestFinished(() => sender.close());
  const pair = async (name: string, subscription: unknown): Promise<void> => {
    const paired = await devices.pair(devices.createCode(), name, ['watch']);
    await devices.setPush(paired?.device.id ?? '', subscription);
  };
  const tell = (state: RemoteState, openRequests = 0, id = 's', folder = '/work/app'): void => {
    const session = sessionOf({ id, state, openRequests, folder });
    sender.onChange({ type: 'session', session });
  };
  const fail = (level: 'error' | 'warning' = 'error'): void => {
    const content = { type: 'notice', level, message: 'secret' } as const;
    const entry = { seq: 1, at: '', source: 'server', content } as const;
    sender.onChange({ type: 'entry', sessionId: 's', entry });
  };
  return { sender, devices, lines, keysFile, open, pair, tell, fail };
}

const titlesOf = (messages: readonly { readonly text: string }[]): unknown[] =>
  messages.map(({ text }) => JSON.parse(text).title);

describe('PushSender', () => {
  it('calls every device with the name of the folder, sealed and signed, and nothing else', async () => {
    const service = await startPushService();
    const { sender, pair, tell } = await create();
    await pair('phone', service.subscribe());
    await pair('tablet', service.subscribe());
    tell('ready');
    tell('needs-you', 1);
    await vi.waitFor(() => expect(service.messages).toHaveLength(2));
    expect(service.messages.map(({ text }) => JSON.parse(text))).toEqual(
      Array(2).fill({ title: 'A session needs you', body: 'app', sessionId: 's' }),
    );
    expect(service.messages[0]).toMatchObject({
      key: sender.publicKey,
      claims: { sub: 'https://desk.example.net', aud: service.origin },
      headers: { urgency: 'high', ttl: '3600', topic: expect.stringMatching(/^[\w-]{32}$/) },
    });
  });

  it('keeps marks of direction and line feeds of a folder out of a message', async () => {
    const service = await startPushService();
    const { pair, tell } = await create();
    await pair('phone', service.subscribe());
    tell('needs-you', 1, 's', '/work/app\u202e\nAllow it \u001b[1m');
    await vi.waitFor(() => expect(service.messages).toHaveLength(1));
    expect(JSON.parse(service.messages[0]?.text ?? '').body).toBe('app Allow it ');
  });

  it('calls for a further question, the end of a turn and an error, once each', async () => {
    const service = await startPushService();
    const { pair, tell, fail } = await create();
    await pair('phone', service.subscribe());
    const expectCalls = async (...titles: readonly string[]): Promise<void> => {
      await vi.waitFor(() => expect(titlesOf(service.messages)).toEqual(titles));
    };
    const [needs, ready, error] = [
      'A session needs you',
      'A session is ready',
      'A session has an error',
    ];
    tell('working');
    fail('warning');
    tell('ready');
    await expectCalls(ready);
    tell('ready');
    tell('working', 1);
    await expectCalls(ready, needs);
    tell('working', 0);
    fail();
    await expectCalls(ready, needs, error);
    // The end of the turn would replace the message about its error.
    tell('ready');
    tell('working');
    tell('ended');
    await expectCalls(ready, needs, error, ready);
  });

  it('does not call for a session that a device shows, nor for changes that need nobody', async () => {
    const service = await startPushService();
    const { sender, pair, tell, fail } = await create(['s']);
    await pair('phone', service.subscribe());
    tell('working');
    tell('needs-you', 1);
    fail();
    sender.onChange({ type: 'preview', sessionId: 't', kind: 'text', text: 'x' });
    tell('needs-you', 1, 'other');
    await vi.waitFor(() => expect(service.messages).toHaveLength(1));
    expect(service.requests).toHaveLength(1);
  });

  it('removes a subscription that has ended, and notes one that is refused until it works again', async () => {
    const service = await startPushService();
    const { sender, devices, lines, pair, tell } = await create();
    await pair('old phone', service.subscribe([410]));
    await pair('phone', service.subscribe([403, 201]));
    tell('needs-you', 1);
    await vi.waitFor(() => expect(sender.notes).toHaveLength(1));
    await vi.waitFor(() => expect(devices.pushTargets()).toHaveLength(1));
    expect(sender.notes[0]).toMatch(/^phone was not called: localhost:\d+ has refused it/);
    expect(lines).toMatchObject([{ level: 'warn', message: 'A push message was not delivered' }]);
    tell('needs-you', 2);
    await vi.waitFor(() => expect(sender.notes).toEqual([]));
    expect(service.messages).toHaveLength(1);
  });

  it('does not repeat a message that a newer one of the session has replaced, nor after its end', async () => {
    const service = await startPushService();
    const { sender, pair, tell } = await create();
    await pair('phone', service.subscribe([503, 201, 503]));
    tell('needs-you', 1);
    await vi.waitFor(() => expect(service.requests).toHaveLength(1));
    tell('needs-you', 2);
    await vi.waitFor(() => expect(service.messages).toHaveLength(1));
    tell('needs-you', 3);
    await vi.waitFor(() => expect(service.requests).toHaveLength(3));
    sender.close();
    expect(sender.notes).toEqual([]);
  });

  it('reports a subscription whose keys are no keys, and ignores one that is none', async () => {
    const service = await startPushService();
    const { sender, lines, pair, tell } = await create();
    await pair('one', { endpoint: `${service.origin}/x`, keys: { p256dh: 'AAAA', auth: 'AAAA' } });
    await pair('two', { endpoint: 'http://localhost/x', keys: { p256dh: 'AAAA', auth: 'AAAA' } });
    tell('needs-you', 1);
    await vi.waitFor(() => expect(lines).toHaveLength(1));
    expect(lines).toMatchObject([
      {
        level: 'error',
        message: 'A push message could not be sent',
        fields: { error: expect.stringContaining('p256dh') },
      },
    ]);
    expect(sender.notes).toEqual([
      expect.stringMatching(/^one was not called: its subscription cannot be used .*p256dh/),
    ]);
    expect(service.requests).toEqual([]);
  });

  it('keeps its keys for later runs, and makes new ones if their file is damaged', async () => {
    const { sender, keysFile, open } = await create();
    expect(statSync(keysFile).mode & 0o777).toBe(0o600);
    expect((await open()).publicKey).toBe(sender.publicKey);
    writeFileSync(keysFile, '{"publicKey": 1}');
    const again = await open();
    expect(again.publicKey).not.toBe(sender.publicKey);
    expect(readFileSync(keysFile, 'utf8')).toContain(again.publicKey);
  });
});
