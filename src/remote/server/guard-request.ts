import type { FastifyInstance } from 'fastify';

export interface GuardOptions {
  /** Names under which the server is reached, with the port if it is not the usual one. */
  readonly hosts: () => ReadonlySet<string>;
  /** Origins of the server's own pages. */
  readonly origins: () => ReadonlySet<string>;
}

/**
 * Refuses requests that another page or another name has sent: a foreign Host (DNS rebinding), a foreign Origin, and a POST
 * that a form could send. No header allows other origins, so a browser keeps the answers from them, too.
 */
export function guardRequests(app: FastifyInstance, { hosts, origins }: GuardOptions): void {
  app.addHook('onRequest', async (request, reply) => {
    const { host, origin } = request.headers;
    // Answers have code and tokens: no browser and no proxy keeps them on its disk.
    if (request.url.startsWith('/api/')) void reply.header('cache-control', 'no-store');
    if (host === undefined || !hosts().has(host.toLowerCase()))
      return reply.code(421).send({ message: 'The server is not known under this name' });
    if (origin !== undefined && !origins().has(origin))
      return reply.code(403).send({ message: 'Requests from other pages are refused' });
    const isWrite = request.method !== 'GET' && request.method !== 'HEAD';
    const type = request.headers['content-type'] ?? '';
    if (isWrite && type.split(';')[0]?.trim().toLowerCase() !== 'application/json')
      return reply.code(415).send({ message: 'Requests must be application/json' });
    // A token in an address would be in logs and in the history of the browser.
    if (/[?&](token|access_token|code)=/i.test(request.url))
      return reply.code(400).send({ message: 'Addresses must not contain a token' });
  });
}
