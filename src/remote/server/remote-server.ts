import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from '../../api/logger.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { guardRequests } from './guard-request.js';
import { addPageRoutes } from './page-routes.js';
import { addRemoteRoutes, type RouteOptions } from './remote-routes.js';

const BODY_LIMIT_BYTES = 4 * 1024 * 1024;
const REQUESTS_PER_MINUTE = 600;
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string | undefined;
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
}

export interface RunningServer {
  readonly port: number;
  /** Address for devices. */
  readonly url: string;
  close(): Promise<void>;
}

/** Throws INVALID_CONFIG for an address that would let the token travel in clear text. */
export function assertSafeAddress({ host, publicUrl, tls }: ServerAddress): void {
  const refuse = (message: string, hint: string): ProviderError =>
    new ProviderError({ code: 'INVALID_CONFIG', message, hint });
  if (publicUrl !== undefined && !/^https:\/\/[^/?#\s]+\/?$/.test(publicUrl))
    throw refuse(
      `The public address ${publicUrl} is not valid`,
      'Give the address of the tunnel or proxy, such as https://desk.example.ts.net',
    );
  if (!LOOPBACK.has(host) && tls === undefined && publicUrl === undefined)
    throw refuse(
      `The server would listen on ${host} without encryption`,
      'Listen on 127.0.0.1 behind a tunnel, or give a certificate with --tls-cert and --tls-key.',
    );
}

/** Starts the server for the devices. */
export async function startServer(
  address: ServerAddress,
  routes: RouteOptions,
  logger: Logger,
): Promise<RunningServer> {
  assertSafeAddress(address);
  const { default: Fastify } = await import('fastify');
  const { tls } = address;
  const app = (
    tls === undefined
      ? Fastify({ bodyLimit: BODY_LIMIT_BYTES, forceCloseConnections: true })
      : Fastify({ bodyLimit: BODY_LIMIT_BYTES, forceCloseConnections: true, https: tls })
  ) as FastifyInstance;
  const hosts = new Set<string>();
  const origins = new Set<string>();
  guardRequests(app, { hosts: () => hosts, origins: () => origins });
  await protect(app);
  app.setErrorHandler((error, _request, reply) => {
    const status = isClientError(error) ? error.statusCode : 500;
    if (status === 500) logger.error({ error: String(error) }, 'A request of a device failed');
    void reply
      .code(status)
      .send({ message: status === 500 ? 'The server has an error' : 'The request is not valid' });
  });
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send({ message: 'There is nothing here' }),
  );
  addRemoteRoutes(app, routes);
  addPageRoutes(app);
  await app.listen({ host: address.host, port: address.port });
  const { port } = app.server.address() as AddressInfo;
  for (const url of addressesOf(address, port)) {
    hosts.add(url.host.toLowerCase());
    origins.add(url.origin);
  }
  const scheme = tls === undefined ? 'http' : 'https';
  const name = address.host.includes(':') ? `[${address.host}]` : address.host;
  const url = address.publicUrl?.replace(/\/$/, '') ?? `${scheme}://${name}:${port}`;
  return { port, url, close: () => app.close() };
}

/** Adds the headers that keep other pages and foreign scripts out, and a limit of requests. */
async function protect(app: FastifyInstance): Promise<void> {
  const [{ default: helmet }, { default: rateLimit }] = await Promise.all([
    import('@fastify/helmet'),
    import('@fastify/rate-limit'),
  ]);
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        workerSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ['remote'],
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginEmbedderPolicy: true,
    strictTransportSecurity: false,
  });
  await app.register(rateLimit, { max: REQUESTS_PER_MINUTE, timeWindow: 60_000 });
}

/** Addresses under which a browser may reach the server. */
function addressesOf({ host, publicUrl, tls }: ServerAddress, port: number): URL[] {
  const scheme = tls === undefined ? 'http' : 'https';
  const isLoopback = LOOPBACK.has(host);
  const names = isLoopback
    ? ['127.0.0.1', 'localhost', '[::1]']
    : [host.includes(':') ? `[${host}]` : host];
  const own = names.map((name) => new URL(`${scheme}://${name}:${port}`));
  return publicUrl === undefined ? own : [...own, new URL(publicUrl)];
}

function isClientError(error: unknown): error is { readonly statusCode: number } {
  const status =
    typeof error === 'object' && error !== null ? Reflect.get(error, 'statusCode') : undefined;
  return typeof status === 'number' && status >= 400 && status < 500;
}
