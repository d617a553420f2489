import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { guardRequests } from '../../../src/remote/server/guard-request.js';

const JSON_TYPE = { 'content-type': 'application/json' };

/** Sends a request to a guarded server and returns the status. */
async function statusOf(
  method: 'GET' | 'HEAD' | 'POST' | 'DELETE',
  headers: Record<string, string>,
  url = '/',
): Promise<number> {
  const app = Fastify();
  guardRequests(app, {
    hosts: () => new Set(['desk.example:8080']),
    origins: () => new Set(['https://desk.example:8080']),
  });
  app.all('/', async () => ({}));
  app.addContentTypeParser('*', (_request, _payload, done) => done(null, {}));
  const body = method === 'POST' || method === 'DELETE' ? { payload: '{}' } : {};
  const { statusCode } = await app.inject({
    ...{ method, url, ...body },
    headers: { host: 'Desk.Example:8080', ...headers },
  });
  return statusCode;
}

describe('guardRequests', () => {
  it.each([
    ['GET', {}],
    ['HEAD', {}],
    ['GET', { origin: 'https://desk.example:8080' }],
    ['POST', JSON_TYPE],
    ['POST', { 'content-type': 'Application/JSON; charset=utf-8' }],
  ] as const)('lets %s with %o pass', async (method, headers) => {
    expect(await statusOf(method, headers)).toBe(200);
  });

  it.each([
    ['another name', 'GET', { host: 'evil.example' }, 421],
    ['another port', 'GET', { host: 'desk.example' }, 421],
    ['a name behind the name', 'GET', { host: 'desk.example:8080.evil.example' }, 421],
    ['another page', 'GET', { origin: 'https://evil.example' }, 403],
    ['a page without an origin', 'GET', { origin: 'null' }, 403],
    ['the page without encryption', 'GET', { origin: 'http://desk.example:8080' }, 403],
    ['a form', 'POST', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['a form of text', 'POST', { 'content-type': 'text/plain; application/json' }, 415],
    ['a similar type', 'DELETE', { 'content-type': 'application/jsonp' }, 415],
    ['no type', 'POST', { 'content-type': '' }, 415],
  ] as const)('refuses %s', async (_name, method, headers, status) => {
    expect(await statusOf(method, headers)).toBe(status);
  });

  it('refuses a token in the address', async () => {
    for (const url of ['/?token=x', '/?a=b&Access_Token=x', '/?code=x'])
      expect(await statusOf('GET', {}, url)).toBe(400);
    expect(await statusOf('GET', {}, '/?encode=x')).toBe(200);
  });
});
