import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { RequestDraft } from '../../../src/remote/broker/approval-broker.js';
import { createSessions } from '../create-sessions.js';
import { skipSleeps } from '../skip-sleeps.js';
import { openServer } from './open-server.js';

const CALL: Omit<RequestDraft, 'sessionId'> = {
  ...{ kind: 'tool', toolName: 'write_file', title: 'write_file a.txt', input: { n: 1 } },
  ...{ questions: [], options: [], isDenyOnly: false, reasonWay: 'refusal' },
};

async function create() {
  const { sessions, drivers, root, isLed } = await createSessions();
  const server = await openServer(sessions);
  const phone = await server.pair();
  const [status, { id }] = await phone.post('/api/sessions', {
    startId: randomUUID(),
    folder: root,
  });
  expect(status).toBe(200);
  await vi.waitUntil(() => isLed(String(id)), { interval: 5 });
  const path = `/api/sessions/${String(id)}`;
  const session = sessions.findByCli(sessions.list()[0]?.cliSessionId ?? '');
  return { ...server, sessions, driver: drivers[0], phone, path, id, session };
}

describe('routes of sessions', () => {
  it('steer a session, and tell what happens there', async () => {
    const { phone, driver, path, id, audited } = await create();
    expect(await phone.get('/api/sessions')).toMatchObject([
      200,
      { sessions: [{ id, state: 'ready' }], requests: [], rules: [] },
    ]);
    await phone.post(`${path}/prompt`, { promptId: 'prompt-one', text: 'go' });
    await phone.post(`${path}/prompt`, { promptId: 'prompt-two', text: 'later' });
    expect((await phone.post(`${path}/withdraw`, { promptId: 'prompt-two' }))[0]).toBe(200);
    await phone.post(`${path}/mode`, { mode: 'plan' });
    await phone.post(`${path}/model`, { model: 'gemini-2.5-pro' });
    await phone.post(`${path}/interrupt`);
    const [, { entries }] = await phone.get(`${path}/entries?limit=500`);
    const statuses = ['queued', 'sent', 'accepted', 'queued', 'withdrawn', 'answered'];
    const told = z.array(z.object({ content: z.object({ status: z.string().optional() }) }));
    const seen = told.parse(entries).flatMap(({ content: { status } }) => status ?? []);
    expect(seen).toEqual(statuses);
    await phone.post(`${path}/end`);
    const actions = ['prompt go', 'mode plan', 'model gemini-2.5-pro', 'interrupt', 'end'];
    expect(driver?.actions).toEqual(actions);
    expect((await audited()).map(({ action, sessionId }) => [action, sessionId])).toEqual([
      ['sessions', undefined],
      ...['prompt', 'prompt', 'withdraw', 'mode', 'model', 'interrupt', 'end'].map((action) => [
        `sessions ${action}`,
        id,
      ]),
    ]);
  });

  it('answer requests and revoke rules, with the hash of the call in the audit log', async () => {
    const { phone, sessions, session, audited } = await create();
    const open = new AbortController().signal;
    const answer = session?.ask(CALL, open);
    const { id = '', inputHash = '' } = sessions.requests()[0] ?? {};
    expect((await phone.post(`/api/requests/${id}`, { type: 'choose', option: '1' }))[0]).toBe(409);
    const allowed = await phone.post(`/api/requests/${id}`, {
      type: 'allow-for-session',
      inputHash,
    });
    expect(allowed).toEqual([200, {}]);
    expect(await answer).toMatchObject({ outcome: 'decided', by: 'phone' });
    const [rule] = sessions.rules();
    expect((await phone.post(`/api/rules/${rule?.id}/revoke`))[0]).toBe(200);
    expect((await phone.post(`/api/rules/${rule?.id}/revoke`))[1]).toMatchObject({
      message: 'There is no such rule',
    });
    expect(sessions.rules()).toEqual([]);
    expect((await audited()).slice(1)).toMatchObject([
      { action: 'decide choose', requestId: id, outcome: 'refused' },
      { action: 'decide allow-for-session', requestId: id, inputHash, outcome: 'done' },
      { action: 'rules revoke', outcome: 'done' },
      { action: 'rules revoke', outcome: 'refused' },
    ]);
  });

  it('move a session to the desk and back', async () => {
    const { phone, path, session } = await create();
    skipSleeps();
    expect(await phone.post(`${path}/hand-back`)).toEqual([200, {}]);
    expect(session?.state).toBe('starting');
    session?.ended('The CLI has ended', 'hook', true);
    expect(await phone.post(`${path}/take-over`)).toEqual([200, {}]);
    expect(session?.state).toBe('ready');
  });

  it('refuse sessions that are not there, and pages that are not valid', async () => {
    const { phone, path } = await create();
    expect((await phone.get('/api/sessions/gone/entries'))[0]).toBe(409);
    expect((await phone.get(`${path}/entries?limit=0`))[0]).toBe(400);
    const refused = await phone.post('/api/sessions/gone/interrupt');
    expect(refused).toMatchObject([409, { code: 'INVALID_INPUT' }]);
    expect((await phone.post(`${path}/end`, { force: true }))[0]).toBe(400);
  });
});
