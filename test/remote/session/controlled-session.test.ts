import { describe, expect, it, vi } from 'vitest';
import type { RequestDraft } from '../../../src/remote/broker/approval-broker.js';
import { ScriptedDriver } from '../scripted-driver.js';
import { createSession } from './create-session.js';

const CALL: Omit<RequestDraft, 'sessionId'> = {
  ...{ kind: 'tool', toolName: 'write_file', title: 'write_file a.txt', input: {} },
  ...{ questions: [], options: [], isDenyOnly: false, reasonWay: 'refusal' },
};
const open = new AbortController().signal;

describe('ControlledSession', () => {
  it('tells devices nothing when a look finds what is known, and lets prompts go all the same', async () => {
    const { session, notify, onReady } = await createSession();
    session.update({ state: 'ready', mode: 'default', modes: ['default', 'plan'] }, 'screen');
    expect(session.log.lastSeq).toBe(2);
    notify.mockClear();
    onReady.mockClear();
    session.update({ state: 'ready', mode: 'default', modes: ['default', 'plan'] }, 'screen');
    expect(notify).not.toHaveBeenCalled();
    expect(onReady).toHaveBeenCalledOnce();
    session.update({ notes: ['The screen is not known'] }, 'screen');
    expect(notify).toHaveBeenCalledOnce();
    session.update({ state: 'working' }, 'screen');
    expect(session.log.lastSeq).toBe(3);
  });

  it('takes actions from the moment its driver leads it until the driver lets it go', async () => {
    const { session } = await createSession();
    const driver = new ScriptedDriver(session);
    driver.begin('cli');
    expect(session.can('prompt')).toBe(false);
    expect(() => session.require('prompt')).toThrow('cannot take a prompt at present');
    session.drive(driver);
    expect(session.require('prompt')).toBe(driver);
    session.update({ notes: ['The screen is not known.', 'Look at the desk.'] }, 'screen');
    const refused = expect.objectContaining({ hint: 'The screen is not known. Look at the desk.' });
    session.update({ capabilities: { ...session.describe().capabilities, mode: false } }, 'agent');
    expect(() => session.require('mode')).toThrow(refused);
    const leaving = session.leave('release');
    expect(session.can('prompt')).toBe(false);
    await leaving;
    session.ended('The CLI has ended', 'hook', true);
    expect(session.describe()).toMatchObject({
      ...{ driver: 'past', state: 'ended', capabilities: { takeOver: true, prompt: false } },
    });
  });

  it('stays with a driver whose agent does not end', async () => {
    const { session } = await createSession();
    const driver = new ScriptedDriver(session);
    driver.begin();
    session.drive(driver);
    driver.problem = new Error('The CLI does not end');
    await expect(session.leave('end')).rejects.toThrow('does not end');
    expect(session.require('end')).toBe(driver);
  });

  it('needs a person while a request is open, and withdraws it when it ends', async () => {
    const { session, onReady } = await createSession();
    const driver = new ScriptedDriver(session);
    session.drive(driver);
    const answer = session.ask(CALL, open);
    driver.begin();
    expect(session.describe()).toMatchObject({ state: 'needs-you', openRequests: 1 });
    expect(onReady).not.toHaveBeenCalled();
    session.ended('The CLI has ended', 'hook', false);
    expect(await answer).toEqual({ outcome: 'withdrawn' });
    expect(session.describe()).toMatchObject({ state: 'ended', openRequests: 0 });
  });

  it('keeps the highest sum of tokens, and adds those of a turn', async () => {
    const { session, contents } = await createSession();
    session.spend({ tokens: 10, costUsd: 0.5 });
    session.usage({ tokens: 5, costUsd: 0.1 });
    session.usage({ tokens: 10, costUsd: 0.1 });
    session.spend({ tokens: 3, costUsd: 0.25 });
    expect(session.describe()).toMatchObject({ tokens: 13, costUsd: 0.75 });
    session.spend({ tokens: 1, costUsd: undefined });
    expect(session.describe()).toMatchObject({ tokens: 14, costUsd: undefined });
    session.spend({ tokens: 1, costUsd: 1 });
    expect(session.describe()).toMatchObject({ tokens: 15, costUsd: undefined });
    expect((await contents()).map(({ type }) => type)).toEqual(Array(4).fill('usage'));
  });

  it('has the first prompt as its title, and a later run of the server has it, too', async () => {
    const { session } = await createSession();
    const say = (text: string, role: 'user' | 'assistant' = 'user'): void =>
      session.add(
        { type: 'message', messageId: text, role, blocks: [{ type: 'text', text }] },
        'file',
      );
    say('Hello', 'assistant');
    say('  fix\n it ');
    say('and that');
    session.update({ cliSessionId: 'cli', model: 'gemini-2.5-pro', mode: 'plan' }, 'agent');
    session.usage({ tokens: 7, costUsd: undefined });
    const again = (await createSession()).session;
    const { startedAt } = again.describe();
    again.restore({});
    expect(again.describe().updatedAt).toBe(startedAt);
    again.restore(session.restorable);
    expect(again.describe()).toMatchObject({
      ...{ title: 'fix it', cliSessionId: 'cli', model: 'gemini-2.5-pro', mode: 'plan' },
      ...{ tokens: 7, updatedAt: session.describe().updatedAt, state: 'ended' },
    });
  });

  it('offers the modes of its driver, and passes previews on without a log', async () => {
    const { session, notify } = await createSession();
    new ScriptedDriver(session).begin();
    expect([session.isOffered('plan'), session.isOffered('yolo')]).toEqual([true, false]);
    notify.mockClear();
    const { lastSeq } = session.log;
    session.preview('thought', 'hm');
    const preview = { type: 'preview', sessionId: 'one', kind: 'thought', text: 'hm' };
    expect(notify.mock.calls).toEqual([[preview]]);
    expect(session.log.lastSeq).toBe(lastSeq);
  });

  it('writes the id of the CLI when it changes, and a reason also without a change', async () => {
    const { session, contents } = await createSession();
    session.update({ cliSessionId: 'a' }, 'hook');
    session.update({ cliSessionId: 'a' }, 'hook');
    session.update({ cliSessionId: 'b', model: 'm' }, 'hook');
    session.update({ state: 'ended' }, 'server', 'Once more');
    await vi.waitFor(async () =>
      expect(await contents()).toMatchObject([
        { type: 'driver', driver: 'past', cliSessionId: 'a' },
        { type: 'model', model: 'm' },
        { type: 'driver', driver: 'past', cliSessionId: 'b' },
        { type: 'state', state: 'ended', reason: 'Once more' },
      ]),
    );
  });
});
