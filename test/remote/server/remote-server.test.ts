import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { createSessions } from '../create-sessions.js';
import { openServer } from './open-server.js';

async function create() {
  const { sessions } = await createSessions();
  const server = await openServer(sessions);
  const { port, host } = new URL(server.url);
  /** Sends the head of a request whose body never comes, and returns the first line of the answer. */
  const sendHead = async (path: string, ...headers: readonly string[]): Promise<string> => {
    const line = connect(Number(port), '127.0.0.1');
    const head = [`POST ${path} HTTP/1.1`, `host: ${host}`, 'connection: close', ...headers];
    line.write(`${head.join('\r\n')}\r\n\r\n`);
    const [chunk] = await once(line, 'data');
    line.destroy();
    return String(chunk).split('\r\n')[0] ?? '';
  };
  return { ...server, host, sendHead };
}

const JSON_BODY = ['content-type: application/json', 'content-length: 100'];

describe('the server for devices', () => {
  it('refuses a device that is not paired, or lacks the right, before its body has come', async () => {
    const { sendHead, pair } = await create();
    const { authorization } = await pair('phone', ['watch']);
    expect(await sendHead('/api/presence', ...JSON_BODY)).toContain(' 401 ');
    const paired = `authorization: ${authorization}`;
    expect(await sendHead('/api/presence', ...JSON_BODY, paired)).toContain(' 403 ');
  });

  it('says that a request is too large, and that there were too many', async () => {
    const { pair } = await create();
    const phone = await pair();
    const large = await phone.post('/api/presence', { isAway: 'x'.repeat(5_000_000) });
    expect(large).toEqual([413, { message: 'The request is larger than 4 MiB' }]);
    const guess = { code: 'x'.repeat(22), name: 'phone' };
    for (let count = 0; count < 10; count++)
      expect((await phone.post('/api/pair', guess))[0]).toBe(403);
    const message = 'Too many requests: try again in a minute';
    expect(await phone.post('/api/pair', guess)).toEqual([429, { message }]);
  });

  it('lets nobody keep its answers, refusals included', async () => {
    const { url, pair } = await create();
    const { authorization } = await pair();
    for (const headers of [{ authorization }, {}]) {
      const answer = await fetch(`${url}/api/sessions`, { headers });
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
    expect((await fetch(url)).headers.get('cache-control')).toBe('no-cache');
  });

  it('obeys the first of two Host headers, and none that a proxy adds', async () => {
    const { url, host } = await create();
    const statusOf = async (...headers: readonly string[]): Promise<string> => {
      const line = connect(Number(new URL(url).port), '127.0.0.1');
      line.write(`GET / HTTP/1.1\r\n${headers.join('\r\n')}\r\nconnection: close\r\n\r\n`);
      return (await text(line)).split('\r\n')[0] ?? '';
    };
    expect(await statusOf(`host: ${host}`, 'x-forwarded-host: evil.example')).toContain(' 200 ');
    expect(await statusOf('host: evil.example', `x-forwarded-host: ${host}`)).toContain(' 421 ');
    expect(await statusOf('host: evil.example', `host: ${host}`)).toMatch(/ (?:400|421) /);
    expect(
      await statusOf(`host: ${host}`, 'transfer-encoding: chunked', 'content-length: 5'),
    ).toContain(' 400 ');
  });
});
