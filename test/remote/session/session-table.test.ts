import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { RequestDraft } from '../../../src/remote/broker/approval-broker.js';
import { LogFile } from '../../../src/remote/log/log-file.js';
import { createSessions, DESK, PHONE } from '../create-sessions.js';
import { skipSleeps } from '../skip-sleeps.js';

const CALL: Omit<RequestDraft, 'sessionId'> = {
  ...{ kind: 'tool', toolName: 'write_file', title: 'write_file a.txt', input: {} },
  ...{ questions: [], options: [], isDenyOnly: false, reasonWay: 'refusal' },
};
const open = new AbortController().signal;

/** Starts a session with a rule, an open request, a prompt on its way and one that waits. */
async function leaveUnfinished() {
  const { sessions, start, state, root } = await createSessions();
  const id = await start('first');
  const session = sessions.findByCli(sessions.list()[0]?.cliSessionId ?? '');
  const asked = session?.ask(CALL, open);
  const { id: requestId = '', inputHash = '' } = sessions.requests()[0] ?? {};
  await sessions.decide(requestId, { type: 'allow-for-session', inputHash }, PHONE);
  await asked;
  await sessions.prompt(id, { promptId: 'waits', text: 'later' }, PHONE);
  void session?.ask({ ...CALL, toolName: 'replace' }, open);
  const openId = sessions.requests()[0]?.id;
  await session?.log.sync();
  const summary = join(state, 'store', id, 'summary.json');
  return { sessions, id, state, root, session, openId, summary };
}

describe('sessions after a restart of the server', () => {
  it('have their rules and waiting prompts, and no request that nobody waits for', async () => {
    const { id, state, openId, summary } = await leaveUnfinished();
    const { sessions } = await createSessions(state);
    expect(sessions.list()).toMatchObject([{ id, state: 'ended', driver: 'past' }]);
    expect(sessions.rules()).toMatchObject([{ sessionId: id, toolName: 'write_file' }]);
    expect(sessions.requests()).toEqual([]);
    const contents = (await sessions.entries(id)).map(({ content }) => content);
    expect(contents).toContainEqual({
      ...{ type: 'decision', requestId: openId, outcome: 'withdrawn' },
    });
    // What waits may be found again in tmux, so the log must be read at the next start, too.
    expect(existsSync(summary)).toBe(false);
  });

  it('lose them if they are not found again, and are known by their summary from then on', async () => {
    const { id, state, summary } = await leaveUnfinished();
    const second = await createSessions(state);
    second.sessions.endLost();
    expect(second.sessions.rules()).toEqual([]);
    await vi.waitFor(() => expect(existsSync(summary)).toBe(true));
    const contents = (await second.sessions.entries(id)).map(({ content }) => content);
    expect(contents).toContainEqual(
      expect.objectContaining({ promptId: 'waits', status: 'not-delivered' }),
    );
    expect(contents).toContainEqual(expect.objectContaining({ type: 'rule', isRevoked: true }));
    await second.sessions.close();
    const opened = vi.spyOn(LogFile, 'open');
    onTestFinished(() => opened.mockRestore());
    const { sessions, drivers } = await createSessions(state);
    expect(opened).not.toHaveBeenCalled();
    expect(sessions.list()).toMatchObject([
      { id, state: 'ended', capabilities: { takeOver: true } },
    ]);
    await expect(sessions.prompt(id, { promptId: 'p', text: 'x' }, PHONE)).rejects.toThrow(
      'cannot take a prompt',
    );
    // A device that repeats a prompt of an earlier run does not send it a second time.
    skipSleeps();
    // The first server lives in this process, so its lock looks alive.
    for (const lock of readdirSync(join(state, 'locks'))) rmSync(join(state, 'locks', lock));
    await sessions.takeOver(id);
    await sessions.prompt(id, { promptId: 'waits', text: 'later' }, PHONE);
    await sessions.prompt(id, { promptId: 'new', text: 'now' }, PHONE);
    expect(drivers[0]?.actions).toEqual(['prompt now']);
  });

  it('are not started again by a request that is repeated', async () => {
    const { sessions, root, state } = await createSessions();
    const request = { startId: 'the-same', folder: root };
    const ids = await Promise.all([sessions.start(request, PHONE), sessions.start(request, PHONE)]);
    expect(new Set(ids).size).toBe(1);
    await sessions.close();
    const again = await createSessions(state);
    expect(await again.sessions.start(request, PHONE)).toBe(ids[0]);
    expect(again.drivers).toEqual([]);
  });
});

describe('sessions of the server', () => {
  it('tell every listener of every change, until it no longer listens', async () => {
    const { sessions, root } = await createSessions();
    const [first, second] = [vi.fn(), vi.fn()];
    const unsubscribe = sessions.subscribe(first);
    sessions.subscribe(second);
    const session = await sessions.create(root);
    session.update({ state: 'starting' }, 'server');
    expect(first.mock.calls.map(([change]) => change.type)).toEqual([
      'entry',
      'session',
      'session',
    ]);
    unsubscribe();
    session.update({ state: 'ready' }, 'server');
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([3, 6]);
  });

  it('refuse what a device must not do, before anything has changed', async () => {
    const { sessions, root, start, state } = await createSessions();
    const id = await start();
    const started = (more: object) =>
      sessions.start({ startId: JSON.stringify(more), folder: root, ...more }, PHONE);
    await expect(started({ prompt: ' ' })).rejects.toThrow('empty');
    await expect(started({ mode: 'yolo' })).rejects.toThrow('yolo cannot be chosen');
    await expect(started({ folder: state })).rejects.toThrow('the folders that the desk has named');
    const { cliSessionId: resume } = sessions.list()[0] ?? {};
    await expect(started({ resume })).rejects.toThrow('open already');
    await expect(sessions.setMode(id, 'yolo', PHONE)).rejects.toThrow('cannot be chosen');
    await expect(sessions.setModel(id, 'a b')).rejects.toThrow('not valid');
    await expect(sessions.takeOver('gone')).rejects.toThrow('no such session');
    await expect(sessions.withdraw('gone', 'p')).rejects.toThrow('no such session');
    expect(sessions.list()).toHaveLength(1);
    await sessions.setMode(id, 'yolo', DESK);
  });

  it('end with their rules, and can be resumed in the same session of the server', async () => {
    const { sessions, session, id, root } = await leaveUnfinished();
    await sessions.end(id);
    expect([sessions.rules(), sessions.requests(), session?.state]).toEqual([[], [], 'ended']);
    const again = { startId: 'again', folder: root, resume: session?.cliSessionId };
    expect(await sessions.start(again, PHONE)).toBe(id);
    await vi.waitFor(() => expect(session?.state).toBe('ready'));
  });
});
