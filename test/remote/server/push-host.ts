import { once } from 'node:events';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer, globalAgent } from 'node:https';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { LOOPBACK_CERT, LOOPBACK_KEY } from '../../../integration/remote/loopback-certificate.js';

export interface PushHost {
  /** Address of a subscription. */
  readonly endpoint: string;
  readonly received: readonly { readonly headers: IncomingHttpHeaders; readonly body: string }[];
}

/**
 * Starts a host on loopback with https that takes any request, and ends with the test.
 *
 * @param answer answers one request after the other
 */
export async function startPushHost(
  answer: (response: ServerResponse, count: number) => void,
): Promise<PushHost> {
  const received: { headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer({ cert: LOOPBACK_CERT, key: LOOPBACK_KEY }, (request, response) => {
    void text(request).then((body) => {
      received.push({ headers: request.headers, body });
      answer(response, received.length);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const before = globalAgent.options.ca;
  globalAgent.options.ca = LOOPBACK_CERT;
  onTestFinished(() => {
    globalAgent.options.ca = before;
    server.closeAllConnections();
    server.close();
  });
  return { endpoint: `https://localhost:${port}/push`, received };
}
