import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { request } from 'node:http';
import { get } from 'node:https';
import { join } from 'node:path';
import { type Remote, startRemote } from 'gemini-cli-provider/remote';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../support.js';
import { LOOPBACK_CERT, LOOPBACK_KEY } from './loopback-certificate.js';
import {
  nextRequest,
  openRemoteLab,
  openStream,
  PHONE,
  pairDevice,
  send,
  until,
} from './remote-lab.js';

/** Sends a request with headers that fetch would not send. */
function sendRaw(
  url: string,
  method: string,
  headers: Record<string, string>,
  body = '',
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

describe('requests to a remote server', () => {
  it('are refused without a token, from other pages, under other names, and as forms (claim: remote-own-page)', async () => {
    const lab = await openRemoteLab([]);
    const { url } = lab.remote;
    const device = await pairDevice(lab);
    expect((await device('GET', '/api/sessions')).status).toBe(200);
    expect((await send(lab.remote, 'GET', '/api/sessions')).status).toBe(401);
    expect((await send(lab.remote, 'GET', '/api/sessions', undefined, 'wrong')).status).toBe(401);
    const statuses = await Promise.all([
      sendRaw(`${url}/api/sessions`, 'GET', { host: 'evil.example' }),
      sendRaw(`${url}/`, 'GET', { host: 'evil.example' }),
      sendRaw(`${url}/api/sessions`, 'GET', { origin: 'https://evil.example' }),
      sendRaw(`${url}/api/pair`, 'POST', { 'content-type': 'text/plain' }, '{}'),
      sendRaw(
        `${url}/api/pair`,
        'POST',
        { 'content-type': 'application/x-www-form-urlencoded' },
        'code=x',
      ),
      sendRaw(`${url}/api/sessions?token=x`, 'GET', {}),
      sendRaw(`${url}/../package.json`, 'GET', {}),
      sendRaw(
        `${url}/api/pair`,
        'POST',
        { 'content-type': 'application/json' },
        `"${'x'.repeat(5_000_000)}"`,
      ),
    ]);
    expect(statuses).toEqual([421, 421, 403, 415, 415, 400, 404, 413]);
  });

  it('carry headers that keep other pages out (claim: remote-page-closed)', async () => {
    const { remote } = await openRemoteLab([]);
    const { headers } = await fetch(remote.url);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'.*frame-ancestors 'none'/,
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  it('pair one device for each code; a revoked device loses its stream at once (claim: remote-pairing, remote-revoked)', async () => {
    const lab = await openRemoteLab([]);
    const code = new URL(lab.remote.pairingUrl()).hash.slice('#pair='.length);
    const first = await send(lab.remote, 'POST', '/api/pair', { code, name: 'phone' });
    const token = `${first.body['token']}`;
    expect([
      first.status,
      (await send(lab.remote, 'POST', '/api/pair', { code, name: 'thief' })).status,
    ]).toEqual([200, 403]);
    const stored = readFileSync(join(lab.state, 'devices.json'), 'utf8');
    expect([stored.includes(token), stored.includes(code)]).toEqual([false, false]);
    const stream = await openStream(lab, token);
    await stream.next('hello');
    const [device] = lab.remote.devices();
    expect(await lab.remote.revoke(device?.id ?? '')).toBe(true);
    await until(() => !stream.isOpen());
    expect((await send(lab.remote, 'GET', '/api/sessions', undefined, token)).status).toBe(401);
    // A device that ends its own pairing loses its streams, too.
    const other = await pairDevice(lab);
    const own = await openStream(lab, other.token);
    await own.next('hello');
    expect((await other('POST', '/api/unpair', {})).status).toBe(200);
    await until(() => !own.isOpen());
  });

  it('are limited: ten pairings a minute; strangers do not use up the requests of a paired device (claim: remote-limited)', async () => {
    const lab = await openRemoteLab([]);
    const device = await pairDevice(lab);
    const guess = { code: 'x'.repeat(22), name: 'thief' };
    const guesses = await Promise.all(
      Array.from({ length: 12 }, () => send(lab.remote, 'POST', '/api/pair', guess)),
    );
    expect(guesses.map(({ status }) => status).filter((status) => status === 429)).toHaveLength(3);
    const url = `${lab.remote.url}/api/sessions`;
    let status = 0;
    for (let count = 0; count < 1_000 && status !== 429; count += 50)
      [status = 0] = await Promise.all(
        Array.from({ length: 50 }, () => sendRaw(url, 'GET', {}).then((code) => code ?? 0)),
      );
    expect(status).toBe(429);
    expect((await device('GET', '/api/sessions')).status).toBe(200);
  });

  it('are held to the rights of the device (claim: remote-rights)', async () => {
    const rights = ['watch', 'approve', 'prompt', 'start'] as const;
    const inputHash = 'x';
    const calls = [
      ['approve', '/api/requests/unknown', { type: 'allow', inputHash }],
      ['approve', '/api/rules/unknown/revoke', {}],
      ['approve', '/api/presence', { isAway: true }],
      ['prompt', '/api/sessions/unknown/prompt', { promptId: 'prompt-0001', text: 'x' }],
      ['prompt', '/api/sessions/unknown/withdraw', { promptId: 'prompt-0001' }],
      ['prompt', '/api/sessions/unknown/interrupt', {}],
      ['prompt', '/api/sessions/unknown/mode', { mode: 'plan' }],
      ['prompt', '/api/sessions/unknown/model', { model: 'm' }],
      ['start', '/api/sessions', { startId: 'start-0001', folder: '/' }],
      ['start', '/api/sessions/unknown/take-over', {}],
      ['start', '/api/sessions/unknown/hand-back', {}],
      ['start', '/api/sessions/unknown/end', {}],
    ] as const;
    for (const right of rights) {
      const lab = await openRemoteLab([], { rights: ['watch', right] });
      const device = await pairDevice(lab);
      expect((await device('GET', '/api/sessions')).status).toBe(200);
      for (const [needed, path, body] of calls) {
        const { status } = await device('POST', path, body);
        expect([path, status === 403]).toEqual([path, needed !== right]);
      }
    }
  });

  it('act once if they are repeated with the same key, and leave a line in the audit log (claim: remote-repeated, remote-audit)', async () => {
    const lab = await openRemoteLab([{ text: 'Hi.' }]);
    const device = await pairDevice(lab);
    const start = { folder: lab.root, prompt: 'a secret prompt' };
    const key = { 'idempotency-key': 'key-00000001' };
    const answers = await Promise.all([
      device('POST', '/api/sessions', { ...start, startId: 'start-0001' }, key),
      device('POST', '/api/sessions', { ...start, startId: 'start-0001' }, key),
    ]);
    expect(answers[0]).toEqual(answers[1]);
    expect(lab.remote.control.list()).toHaveLength(1);
    await until(() => lab.remote.control.list()[0]?.state === 'ready');
    expect((await device('POST', '/api/presence', { isAway: true }, key)).status).toBe(200);
    expect((await device('GET', '/api/state')).body['isAway']).toBe(true);
    const wrong = { 'idempotency-key': 'no key' };
    expect((await device('POST', '/api/presence', { isAway: true }, wrong)).status).toBe(400);
    const answer = { type: 'allow', inputHash: 'hash-of-input' };
    expect((await device('POST', '/api/requests/unknown', answer)).status).toBe(409);
    await lab.remote.close();
    const audit = readFileSync(join(lab.state, 'audit.jsonl'), 'utf8');
    const lines = audit
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ action, by, outcome }) => [action, by, outcome])).toEqual([
      ['pair', 'phone', 'done'],
      ['sessions', 'phone', 'done'],
      ['presence away', 'phone', 'done'],
      ['decide allow', 'phone', 'refused'],
    ]);
    expect(lines.at(-1)).toMatchObject({ requestId: 'unknown', inputHash: 'hash-of-input' });
    expect(audit).not.toContain('secret');
    for (const file of ['audit.jsonl', 'devices.json'])
      expect(statSync(join(lab.state, file)).mode & 0o777).toBe(0o600);
    expect(statSync(lab.state).mode & 0o777).toBe(0o700);
  });

  it('start sessions only in the folders of the desk, whatever links there are, and never in yolo (claim: remote-folders, remote-no-yolo)', async () => {
    const lab = await openRemoteLab([]);
    const device = await pairDevice(lab);
    const outside = makeFolder();
    mkdirSync(`${lab.root}2`);
    symlinkSync(outside, join(lab.root, 'link'));
    const folders = [
      outside,
      `${lab.root}2`,
      join(lab.root, 'link'),
      join(lab.root, '..'),
      join(lab.root, 'missing'),
      'relative',
    ];
    for (const [index, folder] of folders.entries()) {
      const { status, body } = await device('POST', '/api/sessions', {
        startId: `start-${index}000`,
        folder,
      });
      expect([status, body['message']]).toEqual([
        409,
        'Sessions can be started only in the folders that the desk has named',
      ]);
    }
    const yolo = { startId: 'start-yolo', folder: lab.root, mode: 'yolo' };
    expect((await device('POST', '/api/sessions', yolo)).status).toBe(409);
    expect(lab.remote.control.list()).toEqual([]);
  });

  it('cannot allow a call that has changed, or answer one twice (claim: remote-bound-to-call)', async () => {
    const write = { name: 'write_file', args: { file_path: 'a.txt', content: 'a' } };
    const lab = await openRemoteLab([{ toolCalls: [write] }, { text: 'Written.' }]);
    const device = await pairDevice(lab);
    const start = { startId: 'start-0001', folder: lab.root, prompt: 'write it' };
    const { body } = await device('POST', '/api/sessions', start);
    const { id, inputHash } = await nextRequest(lab);
    const mode = await device('POST', `/api/sessions/${body['id']}/mode`, { mode: 'yolo' });
    const changed = await device('POST', `/api/requests/${id}`, { type: 'allow', inputHash: 'x' });
    const denied = await device('POST', `/api/requests/${id}`, { type: 'deny' });
    const late = await device('POST', `/api/requests/${id}`, { type: 'allow', inputHash });
    expect([mode, changed, denied, late].map(({ status }) => status)).toEqual([409, 409, 200, 409]);
    expect(late.body['message']).toBe('The request was answered before: phone');
    await until(() => lab.remote.control.list()[0]?.state === 'ready');
    expect(existsSync(join(lab.root, 'a.txt'))).toBe(false);
  });
});

describe('a remote server', () => {
  it('listens in clear text on this machine alone (claim: remote-encrypted)', async () => {
    const state = join(makeFolder(), 'state');
    const tls = { cert: LOOPBACK_CERT, key: LOOPBACK_KEY };
    const refused = [
      { host: '0.0.0.0' },
      { host: '192.0.2.1' },
      { host: '0.0.0.0', tls },
      { publicUrl: 'http://desk.example' },
      { publicUrl: 'https://desk.example/path' },
    ];
    for (const options of refused)
      await expect(startRemote({ state, ...options })).rejects.toMatchObject({
        code: 'INVALID_CONFIG',
      });
    const behindProxy = { host: '0.0.0.0', publicUrl: 'https://desk.example' };
    await using remote = await startRemote({ state, ...behindProxy });
    expect(remote.notes[0]).toContain('listens on 0.0.0.0 without encryption');
    const url = `http://127.0.0.1:${remote.port}/`;
    expect([
      await sendRaw(url, 'GET', { host: 'desk.example' }),
      await sendRaw(url, 'GET', { host: `127.0.0.1:${remote.port}` }),
    ]).toEqual([200, 421]);
  });

  it('speaks https with a certificate', async () => {
    const tls = { cert: LOOPBACK_CERT, key: LOOPBACK_KEY };
    const { remote } = await openRemoteLab([], { tls });
    expect(remote.url).toBe(`https://127.0.0.1:${remote.port}`);
    const status = await new Promise((resolve, reject) => {
      get(remote.url, { ca: LOOPBACK_CERT }, ({ statusCode }) => resolve(statusCode)).on(
        'error',
        reject,
      );
    });
    expect(status).toBe(200);
  });

  it('keeps the prompt of a session that could not be started, and starts it once, also after its own restart', async () => {
    const lab = await openRemoteLab([], { config: { cliPath: '/nowhere/gemini' } });
    const start = { startId: 'start-0001', folder: lab.root, prompt: 'a long and dear prompt' };
    const id = await lab.remote.control.start(start, PHONE);
    await until(() => lab.remote.control.list()[0]?.state === 'ended');
    const contents = async ({ control }: Remote) =>
      (await control.entries(id)).map(({ content }) => content);
    const kept = { text: start.prompt, status: 'not-delivered', by: 'phone' };
    expect(await contents(lab.remote)).toContainEqual(expect.objectContaining(kept));
    await lab.remote.close();

    await using again = await startRemote({ state: lab.state, roots: [lab.root] });
    expect(await again.control.start(start, PHONE)).toBe(id);
    expect(again.control.list()).toMatchObject([{ id, state: 'ended' }]);
    expect(await contents(again)).toContainEqual(expect.objectContaining(kept));
  });

  it('is one for each user', async () => {
    const { state } = await openRemoteLab([]);
    await expect(startRemote({ state })).rejects.toThrow('running already');
  });
});
