import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { RemoteRight } from '../../../src/api/remote-options.js';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import { AuditLog } from '../../../src/remote/server/audit-log.js';
import { type DeviceCall, DeviceCalls } from '../../../src/remote/server/device-calls.js';
import { ALL_RIGHTS, DeviceStore } from '../../../src/remote/server/device-store.js';
import { refusal } from '../../../src/remote/session/refusal.js';
import { recordLog } from '../record-log.js';

const schema = z.strictObject({ n: z.number() });
type Call = DeviceCall<{ n: number }>;

/** Adds a route that counts, for a device with the given rights. */
async function create(rights: readonly RemoteRight[] = ALL_RIGHTS) {
  const folder = mkdtempSync(join(tmpdir(), 'calls-'));
  const auditFile = join(folder, 'audit.jsonl');
  const audit = new AuditLog(auditFile, recordLog().logger);
  const devices = await DeviceStore.open(join(folder, 'devices.json'));
  const token = (await devices.pair(devices.createCode(), 'phone', rights))?.token;
  const app = Fastify();
  const calls = new DeviceCalls(app, devices, audit);
  const act = vi.fn(async (call: Call): Promise<unknown> => ({ sum: call.body.n + 1 }));
  calls.post('/api/sessions/:id/count', 'prompt', schema, act);
  calls.post('/api/quiet', 'watch', schema, act, () => false);
  const read = vi.fn((): unknown => ({ n: 1 }));
  calls.get('/api/count', read);
  const headers = { authorization: `Bearer ${token}` };
  const post = async (payload: unknown, more: object = {}, url = '/api/sessions/one/count') => {
    const given = { method: 'POST' as const, url, payload: JSON.stringify(payload) };
    const type = { 'content-type': 'application/json' };
    const answer = await app.inject({ ...given, headers: { ...headers, ...type, ...more } });
    return [answer.statusCode, answer.json()];
  };
  const get = async (authorization = headers.authorization) => {
    const answer = await app.inject({ url: '/api/count', headers: { authorization } });
    return [answer.statusCode, answer.json()];
  };
  const audited = async () => {
    await audit.close();
    const lines = readFileSync(auditFile, 'utf8').trim().split('\n');
    return lines.map((line) => JSON.parse(line));
  };
  return { devices, act, read, post, get, audited };
}

describe('DeviceCalls', () => {
  it('answers a device that has the right, and writes who did what', async () => {
    const { devices, act, post, audited } = await create();
    expect(await post({ n: 1 })).toEqual([200, { sum: 2 }]);
    const [device] = devices.list();
    expect(act.mock.calls[0]?.[0]).toMatchObject({
      ...{ id: 'one', body: { n: 1 }, device: { id: device?.id } },
      actor: { name: 'phone', isDesk: false, mayApprove: true, mayPrompt: true },
    });
    expect(await audited()).toMatchObject([
      { action: 'sessions count', by: 'phone', deviceId: device?.id, sessionId: 'one' },
    ]);
  });

  it('answers nothing to a device that is not paired, or lacks the right', async () => {
    const { act, read, post, get } = await create(['approve']);
    for (const token of ['', 'Bearer ', 'Bearer x', 'Basic x', 'Bearer a b'])
      expect(await get(token)).toEqual([401, { message: 'This device is not paired' }]);
    expect(await get()).toEqual([
      403,
      { message: 'This device may not do that: it lacks the right watch' },
    ]);
    expect((await post({ n: 1 }))[0]).toBe(403);
    expect([act.mock.calls.length, read.mock.calls.length]).toEqual([0, 0]);
  });

  it('refuses a body or a key that is not valid, before anything happens', async () => {
    const { act, post } = await create();
    const invalid = [400, { message: 'The request is not valid' }];
    expect(await post({ n: 'x' })).toEqual(invalid);
    expect(await post({ n: 1, isDesk: true })).toEqual(invalid);
    expect(await post(null)).toEqual(invalid);
    expect(await post({ n: 1 }, { 'idempotency-key': 'short' })).toEqual(invalid);
    expect(act).not.toHaveBeenCalled();
  });

  it('acts once for a repeated request, and again for the same key with other content', async () => {
    const { act, post, audited } = await create();
    const key = { 'idempotency-key': 'a-request-key' };
    const answers = await Promise.all([post({ n: 1 }, key), post({ n: 1 }, key)]);
    expect(answers).toEqual([
      [200, { sum: 2 }],
      [200, { sum: 2 }],
    ]);
    await post({ n: 2 }, key);
    await post({ n: 1 }, key, '/api/sessions/two/count');
    await post({ n: 1 });
    await post({ n: 1 });
    expect(act.mock.calls.map(([{ id, body }]) => [id, body.n])).toEqual([
      ['one', 1],
      ['one', 2],
      ['two', 1],
      ['one', 1],
      ['one', 1],
    ]);
    expect(await audited()).toHaveLength(5);
  });

  it('gives the person the reason of a refusal, and hides any other error', async () => {
    const { act, read, post, get, audited } = await create();
    act.mockRejectedValueOnce(refusal('The session is at work', 'Wait.'));
    expect(await post({ n: 1 })).toEqual([
      409,
      { code: 'INVALID_INPUT', message: 'The session is at work', hint: 'Wait.' },
    ]);
    const full = new ProviderError({ code: 'API_UNAVAILABLE', message: 'The disk is full' });
    act.mockRejectedValueOnce(full);
    expect((await post({ n: 1 }))[0]).toBe(503);
    act.mockRejectedValueOnce(new Error('secret'));
    expect((await post({ n: 1 }))[0]).toBe(500);
    read.mockImplementationOnce(() => schema.parse({}));
    expect(await get()).toEqual([400, { message: 'The request is not valid' }]);
    expect((await audited()).map(({ outcome }) => outcome)).toEqual(Array(3).fill('refused'));
  });

  it('answers an object whatever an action returns, and keeps quiet calls out of the audit log', async () => {
    const { act, post, audited } = await create();
    act.mockResolvedValueOnce(undefined);
    expect(await post({ n: 1 }, {}, '/api/quiet')).toEqual([200, {}]);
    act.mockRejectedValueOnce(refusal('no'));
    expect((await post({ n: 1 }, {}, '/api/quiet'))[0]).toBe(409);
    act.mockResolvedValueOnce(null);
    expect(await post({ n: 1 })).toEqual([200, {}]);
    expect(await audited()).toHaveLength(1);
  });
});
