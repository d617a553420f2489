import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { SessionLog } from '../../src/remote/log/session-log.js';
import { createSessions, PHONE } from './create-sessions.js';
import { ScriptedDriver } from './scripted-driver.js';

const newFolder = (): string => realpathSync(mkdtempSync(join(tmpdir(), 'elsewhere-')));

/** Opens a session at the desk in a folder. */
async function openAtDesk(folder?: string) {
  const all = await createSessions();
  const session = await all.sessions.adopt('cli', folder ?? all.root);
  const desk = new ScriptedDriver(session);
  desk.begin('cli');
  session.drive(desk);
  return { ...all, session, desk };
}

describe('a session in a folder that the desk has not named', () => {
  it('is not taken over, and goes on at the desk (claim: remote-folders)', async () => {
    const { sessions, session, desk } = await openAtDesk(newFolder());
    await expect(sessions.takeOver(session.sessionId)).rejects.toThrow('the desk has named');
    expect([desk.actions, session.state]).toEqual([[], 'ready']);
  });

  it('is not resumed through a folder that the desk has named (claim: remote-folders)', async () => {
    const { sessions, session, root } = await openAtDesk(newFolder());
    session.ended('Over', 'server', true);
    const start = { startId: 'start-0001', folder: root, resume: 'cli' };
    await expect(sessions.start(start, PHONE)).rejects.toThrow('the desk has named');
  });
});

it('a session that has gone on at the desk while its takeover was prepared stays there', async () => {
  const { sessions, session, desk, sides } = await openAtDesk();
  sides.prepared = () => session.update({ state: 'working' }, 'hook');
  await expect(sessions.takeOver(session.sessionId)).rejects.toThrow('at work');
  sides.prepared = () => session.update({ state: 'ready', cliSessionId: 'other' }, 'hook');
  desk.begin('cli');
  await expect(sessions.takeOver(session.sessionId)).rejects.toThrow('changed at the desk');
  expect(desk.actions).toEqual([]);
});

it('a start whose prompt could not be stored is repeated without a second session or prompt', async () => {
  const { sessions, drivers, root, isLed } = await createSessions();
  const start = { startId: 'start-0001', folder: root, prompt: 'deploy it' };
  const sync = vi.spyOn(SessionLog.prototype, 'sync').mockRejectedValueOnce(new Error('disk full'));
  await expect(sessions.start(start, PHONE)).rejects.toThrow('disk full');
  const id = await sessions.start(start, PHONE);
  sync.mockRestore();
  await vi.waitUntil(() => isLed(id), { interval: 5 });
  await vi.waitUntil(() => drivers[0]?.actions.length === 1, { interval: 5 });
  expect(drivers.map(({ actions }) => actions)).toEqual([['prompt deploy it']]);
});

it('a session is not started with a model whose name would be more than a word', async () => {
  const { sessions, root } = await createSessions();
  for (const model of ['', 'a b', 'x\n/quit', '$(id)'])
    await expect(
      sessions.start({ startId: 'start-0001', folder: root, model }, PHONE),
    ).rejects.toThrow('name of the model');
});

it('a device that must not approve chooses no mode in which calls run without a question (claim: remote-rights)', async () => {
  const { sessions, start, root, drivers } = await createSessions();
  const by = { ...PHONE, mayApprove: false };
  const id = await start();
  await expect(sessions.setMode(id, 'auto_edit', by)).rejects.toThrow('lacks the right approve');
  const request = { startId: 'start-0001', folder: root, mode: 'auto_edit' } as const;
  await expect(sessions.start(request, by)).rejects.toThrow('lacks the right approve');
  await sessions.setMode(id, 'plan', by);
  await sessions.setMode(id, 'auto_edit', PHONE);
  expect(drivers.map(({ actions }) => actions)).toEqual([['mode plan', 'mode auto_edit']]);
});

it('a device without the right to prompt starts sessions without a prompt alone (claim: remote-rights)', async () => {
  const { sessions, root } = await createSessions();
  const by = { ...PHONE, mayPrompt: false };
  const start = { startId: 'start-0001', folder: root };
  const prompted = sessions.start({ ...start, prompt: 'deploy it' }, by);
  await expect(prompted).rejects.toThrow('lacks the right prompt');
  expect(sessions.list()).toEqual([]);
  await sessions.start(start, by);
  expect(sessions.list()).toHaveLength(1);
});
