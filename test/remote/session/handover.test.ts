import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { RemoteEntryContent } from '../../../src/api/remote-entry.js';
import { refusal } from '../../../src/remote/session/refusal.js';
import { SessionOwners } from '../../../src/remote/session/session-owners.js';
import { createSessions, PHONE, type Sides } from '../create-sessions.js';
import { ScriptedDriver } from '../scripted-driver.js';
import { skipSleeps } from '../skip-sleeps.js';

/** Opens a session at the desk, which a device may take over. */
async function create(sides: Sides = {}) {
  const all = await createSessions(undefined, sides);
  const { sessions, state, root } = all;
  const session = await sessions.adopt('cli', root);
  const desk = new ScriptedDriver(session);
  desk.begin('cli');
  session.drive(desk);
  const { sessionId: id } = session;
  const contents = async (): Promise<RemoteEntryContent[]> =>
    (await sessions.entries(id)).map(({ content }) => content);
  const locks = (): string[] => readdirSync(join(state, 'locks'));
  return { ...all, session, desk, id, contents, locks };
}

describe('a session that is taken over', () => {
  it('ends at the desk, has a lock, and goes on with its history and its prompts', async () => {
    const { sessions, session, desk, id, drivers, contents, locks } = await create();
    session.update({ mode: 'auto_edit' }, 'screen');
    await sessions.takeOver(id);
    expect([desk.actions, drivers.length, locks()]).toEqual([['end'], 1, ['cli.json']]);
    expect(session.describe()).toMatchObject({ cliSessionId: 'cli', mode: 'auto_edit' });
    expect(await contents()).toContainEqual(
      expect.objectContaining({ reason: expect.stringContaining('Taken over') }),
    );
    await sessions.prompt(id, { promptId: 'p', text: 'go' }, PHONE);
    expect(drivers[0]?.actions).toEqual(['prompt go']);
    await expect(sessions.takeOver(id)).rejects.toThrow('at work');
    await sessions.interrupt(id);
    await sessions.end(id);
    expect([session.state, locks()]).toEqual(['ended', []]);
  });

  it('never goes on in the mode yolo, which was chosen at the desk', async () => {
    const { sessions, session, id } = await create();
    session.update({ mode: 'yolo' }, 'screen');
    await sessions.takeOver(id);
    expect(session.describe().mode).toBe('default');
  });

  it('stays at the desk if it works, cannot be moved, or the agent is refused', async () => {
    const { sessions, session, desk, id, sides } = await create();
    session.update({ state: 'working' }, 'hook');
    await expect(sessions.takeOver(id)).rejects.toThrow('The session is at work');
    desk.begin();
    sides.refusal = refusal('The folder is not trusted');
    await expect(sessions.takeOver(id)).rejects.toThrow('The folder is not trusted');
    const { capabilities } = session.describe();
    session.update({ capabilities: { ...capabilities, takeOver: false } }, 'screen');
    await expect(sessions.takeOver(id)).rejects.toThrow('cannot be taken over');
    expect([desk.actions, session.driverName, session.state]).toEqual([[], 'acp', 'ready']);
  });

  it('stays with the desk if the CLI there does not end', async () => {
    const { sessions, session, desk, id, drivers } = await create();
    desk.problem = refusal('The CLI at the desk does not end');
    await expect(sessions.takeOver(id)).rejects.toThrow('does not end');
    expect([session.require('prompt') === desk, drivers.length]).toEqual([true, 0]);
  });

  it('ends if another process leads it, and can be taken over later', async () => {
    const { sessions, session, id, state, contents } = await create();
    const other = await new SessionOwners(join(state, 'locks')).claim('cli');
    await expect(sessions.takeOver(id)).rejects.toThrow('Another process leads this session');
    expect(session.describe()).toMatchObject({ state: 'ended', capabilities: { takeOver: true } });
    expect(await contents()).toContainEqual(
      expect.objectContaining({ level: 'error', message: 'Another process leads this session' }),
    );
    await other.release();
    await sessions.takeOver(id);
    expect(session.state).toBe('ready');
  });

  it('changes sides once at a time, and needs a record of the CLI', async () => {
    const { sessions, id, root, drivers } = await create();
    const both = await Promise.allSettled([sessions.takeOver(id), sessions.takeOver(id)]);
    // Both look at the disk first, so either may come first.
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const message = 'The session is changing sides already';
    expect(both).toContainEqual(
      expect.objectContaining({ reason: expect.objectContaining({ message }) }),
    );
    expect(drivers).toHaveLength(1);
    const { sessionId } = await sessions.create(root);
    await expect(sessions.takeOver(sessionId)).rejects.toThrow('no record');
  });
});

describe('a session that is given back', () => {
  it('starts at the desk after the minute in which the server has opened it', async () => {
    const { sessions, session, id, resumed, locks } = await create();
    await sessions.takeOver(id);
    const slept = skipSleeps();
    await sessions.setModel(id, 'gemini-2.5-pro');
    session.update({ model: 'gemini-2.5-pro', mode: 'plan' }, 'agent');
    await sessions.handBack(id);
    expect(resumed).toMatchObject([{ cliSessionId: 'cli', mode: 'plan', model: 'gemini-2.5-pro' }]);
    expect([resumed[0]?.session === session, session.state, locks()]).toEqual([
      ...[true, 'starting', []],
    ]);
    expect(slept[0]).toBeGreaterThanOrEqual(0);
    expect(slept[0]).toBeLessThanOrEqual(60_000);
  });

  it('stays with the server if it works or tmux is missing', async () => {
    const { sessions, id, drivers } = await create({ hasTmux: false });
    await sessions.takeOver(id);
    await expect(sessions.handBack(id)).rejects.toThrow('tmux is not installed at the desk');
    await sessions.prompt(id, { promptId: 'p', text: 'go' }, PHONE);
    await expect(sessions.handBack(id)).rejects.toThrow('at work');
    expect(drivers[0]?.actions).toEqual(['prompt go']);
  });

  it('ends if the CLI cannot be started at the desk, and keeps the reason', async () => {
    const { sessions, session, id } = await create({ deskProblem: new Error('no terminal') });
    await sessions.takeOver(id);
    skipSleeps();
    await expect(sessions.handBack(id)).rejects.toThrow('no terminal');
    expect(session.describe()).toMatchObject({ state: 'ended', capabilities: { takeOver: true } });
  });
});

describe('a session of a device', () => {
  it('that cannot be started ends with its prompt reported, and without a lock', async () => {
    const { sessions, root, locks } = await create({ problem: new Error('no login') });
    const id = await sessions.start({ startId: 'a', folder: root, prompt: 'go' }, PHONE);
    const stateOf = () => sessions.list().find((session) => session.id === id)?.state;
    await vi.waitFor(() => expect(stateOf()).toBe('ended'));
    const entries = await sessions.entries(id);
    expect(entries.map(({ content }) => content)).toContainEqual(
      expect.objectContaining({ status: 'not-delivered', text: 'go' }),
    );
    expect(locks()).toEqual([]);
  });

  it('ends when its agent has ended by itself, and gives up its lock', async () => {
    const { sessions, id, drivers, session, contents, locks } = await create();
    await sessions.takeOver(id);
    await sessions.prompt(id, { promptId: 'p', text: 'go' }, PHONE);
    await sessions.prompt(id, { promptId: 'q', text: 'later' }, PHONE);
    drivers[0]?.exit();
    await vi.waitFor(() => expect(locks()).toEqual([]));
    expect(session.state).toBe('ended');
    expect(await contents()).toContainEqual(
      expect.objectContaining({ promptId: 'q', status: 'not-delivered' }),
    );
  });

  it('goes on at the desk if the person opens it there', async () => {
    const { sessions, id, drivers, session, contents, locks } = await create();
    await sessions.takeOver(id);
    await sessions.yieldToDesk(session);
    expect([drivers[0]?.actions, locks()]).toEqual([['end'], []]);
    expect((await contents()).at(-1)).toMatchObject({
      ...{ type: 'notice', message: 'The session was opened at the desk: it goes on there' },
    });
  });
});
