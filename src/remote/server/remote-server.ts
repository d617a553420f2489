import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from '../../api/logger.js';
import { hasErrno } from '../../base/errors/errno.js';
import { messageOf } from '../../base/errors/message-of.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { DeviceCalls, findDevice } from './device-calls.js';
import { addDeviceRoutes } from './device-routes.js';
import type { DeviceStore } from './device-store.js';
import { findRefusal } from './find-refusal.js';
import { guardRequests } from './guard-request.js';
import { addPageRoutes } from './page-routes.js';
import type { RouteOptions } from './route-options.js';
import { addSessionRoutes } from './session-routes.js';

const BODY_LIMIT_BYTES = 4 * 1024 * 1024;
const REQUESTS_PER_MINUTE = 600;
/** Time in which a request must arrive as a whole. One that trickles in would keep its connection open for ever. */
const ARRIVAL_MS = 60_000;
/** Refusals of the limits, in words for the person. */
const LIMITS: Readonly<Record<number, string>> = {
  413: 'The request is larger than 4 MiB',
  429: 'Too many requests: try again in a minute',
};
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);
/** Addresses that stand for all networks of the machine. A browser cannot reach the server under them. */
const ALL_NETWORKS = new Set(['0.0.0.0', '::']);

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
  if (publicUrl !== undefined && !isPublicAddress(publicUrl))
    throw refuse(
      `The public address ${publicUrl} is not valid`,
      'Give the address of the tunnel or proxy, without a path or a user, such as https://desk.example.ts.net',
    );
  if (!URL.canParse(`http://${bracket(host)}`))
    throw refuse(
      `The address ${host} is not valid`,
      'Give the name or the address of a network card of this machine.',
    );
  if (!LOOPBACK.has(host) && tls === undefined && publicUrl === undefined)
    throw refuse(
      `The server would listen on ${host} without encryption`,
      'Listen on 127.0.0.1 behind a tunnel, or give a certificate with --tls-cert and --tls-key.',
    );
  if (ALL_NETWORKS.has(host) && publicUrl === undefined)
    throw refuse(
      `No device can reach the server under the address ${host}`,
      'Give --public-url with the name under which devices reach the server, or --host with one address.',
    );
}

function isPublicAddress(text: string): boolean {
  if (!/^https:\/\/[^/?#@\s]+\/?$/.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

/** Returns a host as it stands in a URL. */
function bracket(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** Returns a sentence about the risk of the address, or undefined if there is none. */
export function warnAboutAddress({ host, tls }: ServerAddress): string | undefined {
  if (LOOPBACK.has(host)) return undefined;
  return tls === undefined
    ? `The server listens on ${host} without encryption: between the proxy and this machine, other computers of the network can read what devices send.`
    : `The server listens on ${host}: every computer of that network can reach it.`;
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
  const limits = {
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: ARRIVAL_MS,
    forceCloseConnections: true,
  };
  const app = (
    tls === undefined ? Fastify(limits) : createSecure(() => Fastify({ ...limits, https: tls }))
  ) as FastifyInstance;
  const hosts = new Set<string>();
  const origins = new Set<string>();
  guardRequests(app, { hosts: () => hosts, origins: () => origins });
  await protect(app, routes.devices);
  app.setErrorHandler((error, _request, reply) => {
    const refusal = isClientError(error) ? undefined : findRefusal(error);
    if (refusal !== undefined) return reply.code(refusal.status).send(refusal.body);
    const status = isClientError(error) ? error.statusCode : 500;
    if (status === 500) logger.error({ error: String(error) }, 'A request of a device failed');
    const message =
      status === 500 ? 'The server has an error' : (LIMITS[status] ?? 'The request is not valid');
    return reply.code(status).send({ message });
  });
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send({ message: 'There is nothing here' }),
  );
  const calls = new DeviceCalls(app, routes.devices, routes.audit);
  addDeviceRoutes(app, calls, routes, logger);
  addSessionRoutes(calls, routes.control);
  addPageRoutes(app);
  await app.listen({ host: address.host, port: address.port }).catch(async (error: unknown) => {
    await app.close();
    throw new ProviderError({
      code: 'INVALID_CONFIG',
      message: `The server cannot listen on ${address.host}, port ${address.port}: ${messageOf(error)}`,
      hint: hasErrno(error, 'EADDRINUSE', 'EACCES')
        ? 'Choose another port, or 0 for a free one.'
        : 'Give the name or the address of a network card of this machine with --host.',
    });
  });
  const { port } = app.server.address() as AddressInfo;
  for (const url of addressesOf(address, port)) {
    hosts.add(url.host.toLowerCase());
    origins.add(url.origin);
  }
  const scheme = tls === undefined ? 'http' : 'https';
  const url =
    address.publicUrl?.replace(/\/$/, '') ?? `${scheme}://${bracket(address.host)}:${port}`;
  return { port, url, close: () => app.close() };
}

/** Throws INVALID_CONFIG if a server cannot be made with its certificate and key. */
function createSecure<App>(create: () => App): App {
  try {
    return create();
  } catch (error) {
    throw new ProviderError({
      code: 'INVALID_CONFIG',
      message: `The certificate or its key cannot be used: ${messageOf(error)}`,
      hint: 'Give files in PEM form that belong together with --tls-cert and --tls-key.',
    });
  }
}

/** Adds the headers that keep other pages and foreign scripts out, and a limit of requests. */
async function protect(app: FastifyInstance, devices: DeviceStore): Promise<void> {
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
  await app.register(rateLimit, {
    max: REQUESTS_PER_MINUTE,
    timeWindow: 60_000,
    // Behind a tunnel all requests come from one address: strangers must not use up the requests of a paired device.
    keyGenerator: (request) => findDevice(request, devices)?.id ?? request.ip,
  });
}

/** Addresses under which a browser may reach the server. */
function addressesOf({ host, publicUrl, tls }: ServerAddress, port: number): URL[] {
  const scheme = tls === undefined ? 'http' : 'https';
  const isLoopback = LOOPBACK.has(host);
  const names = isLoopback ? ['127.0.0.1', 'localhost', '[::1]'] : [bracket(host)];
  const own = names.map((name) => new URL(`${scheme}://${name}:${port}`));
  return publicUrl === undefined ? own : [...own, new URL(publicUrl)];
}

function isClientError(error: unknown): error is { readonly statusCode: number } {
  const status =
    typeof error === 'object' && error !== null ? Reflect.get(error, 'statusCode') : undefined;
  return typeof status === 'number' && status >= 400 && status < 500;
}
