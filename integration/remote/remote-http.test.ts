import { mkdirSync, symlinkSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { startRemote } from 'gemini-cli-provider/remote';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../support.js';
import { openRemoteLab, pairDevice, send } from './remote-lab.js';

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
  it('are refused without a token, from other pages, under other names, and as forms', async () => {
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

  it('carry headers that keep other pages out', async () => {
    const { remote } = await openRemoteLab([]);
    const { headers } = await fetch(remote.url);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'.*frame-ancestors 'none'/,
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  it('pair one device for each code, and none after it was revoked', async () => {
    const lab = await openRemoteLab([]);
    const code = new URL(lab.remote.pairingUrl()).hash.slice('#pair='.length);
    const first = await send(lab.remote, 'POST', '/api/pair', { code, name: 'phone' });
    expect([
      first.status,
      (await send(lab.remote, 'POST', '/api/pair', { code, name: 'thief' })).status,
    ]).toEqual([200, 403]);
    const [device] = lab.remote.devices();
    expect(await lab.remote.revoke(device?.id ?? '')).toBe(true);
    expect(
      (await send(lab.remote, 'GET', '/api/sessions', undefined, `${first.body['token']}`)).status,
    ).toBe(401);
  });

  it('are held to the rights of the device', async () => {
    const lab = await openRemoteLab([], { rights: ['watch'] });
    const device = await pairDevice(lab);
    const start = { startId: 'start-0001', folder: lab.root };
    expect((await device('POST', '/api/sessions', start)).status).toBe(403);
    expect((await device('POST', '/api/presence', { isAway: true })).status).toBe(403);
    expect((await device('GET', '/api/sessions')).status).toBe(200);
  });

  it('start sessions only in the folders of the desk, whatever links there are, and never in yolo', async () => {
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
});

describe('a remote server', () => {
  it('listens in clear text on this machine alone', async () => {
    const state = join(makeFolder(), 'state');
    await expect(startRemote({ state, host: '0.0.0.0' })).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
    });
    await expect(startRemote({ state, publicUrl: 'http://desk.example' })).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
    });
  });

  it('is one for each user', async () => {
    const { state } = await openRemoteLab([]);
    await expect(startRemote({ state })).rejects.toThrow('running already');
  });
});
