import { createServer, type Server } from 'node:http';
import { InvalidArgumentError } from 'commander';
import { ProviderError } from '../../base/errors/provider-error.js';
import { safeJson } from '../../base/text/safe-json.js';
import type { WorkerMetrics } from './worker-metrics.js';

/** Longest wait for the number of waiting jobs: a probe must not hang with the store. */
const STORE_MS = 1_000;

export interface HealthAddress {
  readonly host: string;
  readonly port: number;
}

export interface HealthOptions {
  readonly address: HealthAddress;
  readonly metrics: WorkerMetrics;
  /** Returns the number of jobs that wait in the queue. */
  readonly countWaiting: () => Promise<number>;
}

/** Parses `PORT` or `HOST:PORT`. The default host is loopback: other machines see metrics only if the user says so. */
export function toHealthAddress(value: string): HealthAddress {
  const [, host = '127.0.0.1', digits = ''] = /^(?:(.+):)?(\d{1,5})$/.exec(value.trim()) ?? [];
  const port = Number(digits);
  if (digits === '' || port > 65_535) throw new InvalidArgumentError('Give PORT or HOST:PORT.');
  return { host: host.replace(/^\[|\]$/g, ''), port };
}

/** Serves /live, /ready and /metrics. Returns the port, and a function that ends the server. */
export async function serveHealth(
  options: HealthOptions,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const { host, port } = options.address;
  const server = createServer((request, response) => {
    void answer(request.method ?? '', request.url ?? '/', options).then(
      ({ status, type, text }) => {
        response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
      },
    );
  });
  await listen(server, { host, port });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

function listen(server: Server, { host, port }: HealthAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(
        new ProviderError({
          code: 'INVALID_CONFIG',
          message: `The health endpoint cannot listen on ${host}:${port}: ${error.message}`,
          hint: 'Give another port with --health. The port 0 takes a free one.',
          cause: error,
        }),
      );
    });
    server.listen(port, host, () => resolve());
  });
}

interface HealthAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

async function answer(method: string, url: string, options: HealthOptions): Promise<HealthAnswer> {
  if (method !== 'GET' && method !== 'HEAD') return json(405, { error: 'Only GET is answered' });
  const { metrics } = options;
  switch (url.split('?', 1)[0]) {
    case '/live':
      return json(200, { status: 'live' });
    case '/ready': {
      const reason = metrics.whyNotReady();
      return reason === undefined
        ? json(200, { status: 'ready' })
        : json(503, { status: 'not ready', reason });
    }
    case '/metrics': {
      const text = metrics.render(await countWithin(options));
      return { status: 200, type: 'text/plain; version=0.0.4; charset=utf-8', text };
    }
    default:
      return json(404, { error: 'Ask for /live, /ready or /metrics' });
  }
}

async function countWithin({ countWaiting }: HealthOptions): Promise<number | undefined> {
  const limit = new Promise<undefined>((resolve) => {
    setTimeout(() => resolve(undefined), STORE_MS).unref();
  });
  return Promise.race([countWaiting().catch(() => undefined), limit]);
}

function json(status: number, value: unknown): HealthAnswer {
  return { status, type: 'application/json; charset=utf-8', text: `${safeJson(value)}\n` };
}
