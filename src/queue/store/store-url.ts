import { isIP } from 'node:net';
import type { Redactor } from '../../base/errors/redact.js';
import { createRedactor } from '../../base/errors/redact.js';
import type { Environment } from '../../base/process/environment.js';
import { invalidConfig } from '../../config/config-problem.js';

/** Variable with the URL of the store. */
export const QUEUE_VARIABLE = 'GEMINI_CLI_PROVIDER_QUEUE';

const FORM =
  'must be a URL that begins with redis://, rediss://, postgres:// or postgresql://, or "embedded"';
const PROTOCOLS = {
  'redis:': 'redis',
  'rediss:': 'redis',
  'postgres:': 'postgres',
  'postgresql:': 'postgres',
} as const;

/** Value of `queue` that starts a PostgreSQL server of the user instead of naming a store. */
export const EMBEDDED = 'embedded';

/** Address of a store, with and without its credentials. */
export interface StoreAddress {
  readonly kind: 'redis' | 'postgres';
  /** URL with credentials: only for the driver. */
  readonly url: string;
  /** URL for messages: protocol, host, port and database. */
  readonly shown: string;
  /** True if the store is on this machine: no other machine can write to it unseen. */
  readonly isLoopback: boolean;
  /** Removes the credentials from texts of the driver. */
  readonly redactor: Redactor;
}

/** Parses the URL of a store. Throws INVALID_CONFIG, whose message never contains the URL itself. */
export function parseStoreUrl(text: string, environment: Environment): StoreAddress {
  const url = readUrl(text);
  const kind = Object.entries(PROTOCOLS).find(([protocol]) => protocol === url?.protocol)?.[1];
  if (url === undefined || kind === undefined) throw wrongUrl();
  if (kind === 'redis') addRedisCredentials(url, environment);
  const credentials = [url.password, decode(url.password), ...secretParameters(url)];
  const { PGHOST = '', PGPASSWORD } = environment;
  return {
    kind,
    url: url.href,
    shown: `${url.protocol}//${url.host}${url.pathname === '/' ? '' : url.pathname}`,
    isLoopback: isLoopback(url, kind === 'postgres' ? PGHOST : ''),
    redactor: createRedactor([...credentials, PGPASSWORD ?? ''].filter((it) => it !== '')),
  };
}

function readUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function wrongUrl() {
  // The value may contain a password, and a wrong one cannot be taken apart.
  return invalidConfig([{ key: 'queue', value: '(hidden)', problem: FORM }]);
}

/** Fills in user and password from the environment, as `pg` does by itself with PGUSER and PGPASSWORD. */
function addRedisCredentials(url: URL, environment: Environment): void {
  const { REDIS_USERNAME: user = '', REDIS_PASSWORD: password = '' } = environment;
  if (url.password !== '' || password === '') return;
  url.password = encodeURIComponent(password);
  if (url.username === '') url.username = encodeURIComponent(user);
}

function secretParameters(url: URL): string[] {
  return [...url.searchParams].filter(([name]) => /pass|key|token/i.test(name)).map(([, it]) => it);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Every host that a driver may take counts: `pg` prefers the parameter `host`, and takes PGHOST if there is no other. */
function isLoopback({ hostname, searchParams }: URL, defaultHost: string): boolean {
  const named = [hostname, ...searchParams.getAll('host')].filter((host) => host !== '');
  return (named.length === 0 ? [defaultHost] : named).every(isLoopbackHost);
}

function isLoopbackHost(text: string): boolean {
  const host = text.replace(/^\[|\]$/g, '');
  if (host === '' || host === 'localhost' || host.startsWith('/')) return true;
  return isIP(host) === 4 ? host.startsWith('127.') : host === '::1';
}
