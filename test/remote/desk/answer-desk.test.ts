import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { answerDesk } from '../../../src/remote/desk/answer-desk.js';
import type { Desk } from '../../../src/remote/desk/desk.js';
import { DeviceStore } from '../../../src/remote/server/device-store.js';
import { Presence } from '../../../src/remote/state/presence.js';
import { createSessions } from '../create-sessions.js';

const signal = new AbortController().signal;

async function create(hasDesk = true) {
  const folder = mkdtempSync(join(tmpdir(), 'desk-'));
  const { sessions, start, root } = await createSessions();
  const devices = await DeviceStore.open(join(folder, 'devices.json'));
  const presence = new Presence(join(folder, 'away'));
  const onHook = vi.fn<Desk['onHook']>(async () => ({ decision: 'deny' }));
  const desk = hasDesk
    ? { onHook, launcher: undefined, notes: [], close: async () => {} }
    : undefined;
  const services = {
    ...{
      desk,
      sessions,
      presence,
      devices,
      notes: () => ['a note'],
      hooksNote: () => undefined,
      address: 'http://a',
    },
    pairingUrl: () => `http://a/#${devices.createCode()}`,
    revoke: (id: string) => devices.revoke(id),
  };
  const ask = (path: string, body: unknown = {}, headers = {}) =>
    answerDesk({ path, body, headers, signal }, services);
  return { ask, onHook, sessions, start, root, devices, presence };
}

describe('answerDesk', () => {
  it('gives hooks to the desk with their pane, and lets them pass without a desk', async () => {
    const { ask, onHook } = await create();
    const headers = { 'x-tmux': '/tmp/tmux,1,0', 'x-tmux-pane': '%3', 'x-parent': '77' };
    expect(await ask('/hook/BeforeTool', { a: 1 }, headers)).toEqual({ decision: 'deny' });
    const pane = { tmux: '/tmp/tmux,1,0', pane: '%3', parent: '77' };
    expect(onHook.mock.calls).toEqual([['BeforeTool', { a: 1 }, pane, signal]]);
    expect(await (await create(false)).ask('/hook/BeforeTool')).toEqual({});
  });

  it('tells the state of the server with the sessions that are led', async () => {
    const { ask, start, sessions, root, devices, presence } = await create();
    const id = await start();
    await sessions.create(root);
    await devices.pair(devices.createCode(), 'phone', ['watch']);
    await presence.set(true);
    expect(await ask('/desk/status')).toMatchObject({
      ...{ isAway: true, address: 'http://a', notes: ['a note'] },
      ...{ devices: [{ name: 'phone' }], sessions: [{ id }] },
    });
    expect(await ask('/ping')).toEqual({ isRunning: true });
  });

  it('changes where the person is', async () => {
    const { ask, presence } = await create();
    expect(await ask('/desk/away')).toEqual({ isAway: true });
    expect(await ask('/desk/here')).toEqual({ isAway: false });
    expect(presence.isAway()).toBe(false);
  });

  it('pairs and revokes devices', async () => {
    const { ask, devices } = await create();
    expect(await ask('/desk/pair')).toEqual({ url: expect.stringMatching(/^http:\/\/a\/#.{22}$/) });
    const paired = await devices.pair(devices.createCode(), 'phone', []);
    expect(await ask('/desk/revoke', { id: paired?.device.id })).toEqual({});
    const again = ask('/desk/revoke', { id: paired?.device.id });
    await expect(again).rejects.toThrow('There is no device with this id');
    await expect(ask('/desk/revoke', { id: 1 })).rejects.toThrow();
  });

  it('refuses a command of another version', async () => {
    const { ask } = await create();
    for (const path of ['/', '/desk/unknown', '/desk', 'hook/x'])
      await expect(ask(path)).rejects.toThrow('does not know this command');
  });
});
