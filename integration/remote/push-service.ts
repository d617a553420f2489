import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer, globalAgent } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { LOOPBACK_CERT, LOOPBACK_KEY } from './loopback-certificate.js';

/** A message that the push service has accepted. */
export interface PushMessage {
  /** Path of the subscription. */
  readonly path: string;
  /** The decrypted content. */
  readonly text: string;
  /** The key that has signed the request, and what it claims. */
  readonly key: string;
  readonly claims: { readonly aud: string; readonly exp: number; readonly sub: string };
  readonly headers: IncomingMessage['headers'];
}

export interface PushService {
  readonly origin: string;
  readonly messages: readonly PushMessage[];
  /** Number of requests, those that were refused included. */
  readonly requests: readonly string[];
  /**
   * Makes a subscription, as a browser would.
   * @param statuses with which the service answers its requests, one after the other; the last one holds for all further requests
   * @param hoursBehind by how much the clock of the service is behind
   */
  subscribe(statuses?: readonly number[], hoursBehind?: number): object;
}

/** Starts a push service on loopback. It checks the signature of each request and decrypts its content, as a browser does. */
export async function startPushService(): Promise<PushService> {
  const browser = createECDH('prime256v1');
  browser.generateKeys();
  const auth = randomBytes(16);
  const messages: PushMessage[] = [];
  const requests: string[] = [];
  const answers = new Map<string, { readonly statuses: number[]; readonly hoursBehind: number }>();
  const server = createServer({ cert: LOOPBACK_CERT, key: LOOPBACK_KEY }, (request, response) => {
    void buffer(request).then((body) => {
      const path = request.url ?? '';
      requests.push(path);
      const { statuses, hoursBehind } = answers.get(path) ?? { statuses: [404], hoursBehind: 0 };
      const status = (statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 404;
      if (status === 201) messages.push(readMessage(path, request, body));
      const date = new Date(Date.now() - hoursBehind * 3_600_000).toUTCString();
      response.writeHead(status, { date }).end();
    });
  });
  const readMessage = (path: string, request: IncomingMessage, body: Buffer): PushMessage => ({
    path,
    text: decrypt(body),
    headers: request.headers,
    ...checkSignature(request.headers.authorization ?? ''),
  });
  const decrypt = (body: Buffer): string => {
    const salt = body.subarray(0, 16);
    const keyLength = body[20] ?? 0;
    const sender = body.subarray(21, 21 + keyLength);
    const sealed = body.subarray(21 + keyLength);
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), sender]);
    const secret = Buffer.from(hkdfSync('sha256', browser.computeSecret(sender), auth, info, 32));
    const derive = (name: string, bytes: number): Buffer =>
      Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${name}\0`, bytes));
    const opening = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
    opening.setAuthTag(sealed.subarray(-16));
    const padded = Buffer.concat([opening.update(sealed.subarray(0, -16)), opening.final()]);
    return padded.subarray(0, padded.lastIndexOf(2)).toString('utf8');
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const origin = `https://localhost:${typeof address === 'object' ? address?.port : ''}`;
  const before = globalAgent.options.ca;
  globalAgent.options.ca = LOOPBACK_CERT;
  onTestFinished(() => {
    globalAgent.options.ca = before;
    server.closeAllConnections();
    server.close();
  });
  return {
    origin,
    messages,
    requests,
    subscribe: (statuses = [201], hoursBehind = 0) => {
      const path = `/push/${answers.size}`;
      answers.set(path, { statuses: [...statuses], hoursBehind });
      const keys = {
        p256dh: browser.getPublicKey('base64url'),
        auth: auth.toString('base64url'),
      };
      return { endpoint: origin + path, keys };
    },
  };
}

/** Checks the signature of RFC 8292. Throws if it is wrong. */
function checkSignature(authorization: string): Pick<PushMessage, 'key' | 'claims'> {
  const [, token = '', key = ''] = /^vapid t=([^,]+), *k=(.+)$/.exec(authorization) ?? [];
  const [head, claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
  const isValid = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isValid) throw new Error('The signature of the push message is wrong');
  return { key, claims: JSON.parse(Buffer.from(claims, 'base64url').toString()) };
}
