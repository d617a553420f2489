import { isIP } from 'node:net';
import type { Redactor } from '../../base/errors/redact.js';
import { createRedactor } from '../../base/errors/redact.js';
import type { Environment } from '../../base/process/environment.js';
import { invalidConfig } from '../../config/config-problem.js';

/** Variable with the URL of the store. */
export const QUEUE_VARIABLE = 'GEMINI_CLI_PROVIDER_QUEUE';

const FORM =
  'must be a URL that begins with redis://, rediss://, postgres:// or postgresql://, or "embedded"';
const BEGINNING = /^(?:rediss?|postgres(?:ql)?):\/\//i;
const ENCODE =
  'Encode user and password in the URL: / is %2F, % is %25, @ is %40, # is %23, ? is %3F, : is %3A';
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
  if (url !== undefined) assertEncoded(url);
  const kind = Object.entries(PROTOCOLS).find(([protocol]) => protocol === url?.protocol)?.[1];
  if (url === undefined || kind === undefined) throw wrongUrl();
  if (kind === 'redis') addRedisCredentials(url, environment);
  const credentials = [url.password, decodeURIComponent(url.password), ...secretParameters(url)];
  const { PGHOST = '', PGPASSWORD } = environment;
  return {
    kind,
    url: url.href,
    shown: `${url.protocol}//${url.host}${url.pathname === '/' ? '' : url.pathname}`,
    isLoopback: isLoopback(url, kind === 'postgres' ? PGHOST : ''),
    redactor: createRedactor([...credentials, PGPASSWORD ?? ''].filter((it) => it !== '')),
  };
}

/** Returns undefined for another form. Without the two slashes, the password would be the path of the URL, which is shown. */
function readUrl(text: string): URL | undefined {
  if (!BEGINNING.test(text)) return undefined;
  try {
    return new URL(text);
  } catch {
    throw wrongUrl(`${FORM}, and this one cannot be read. ${ENCODE}`);
  }
}

/** Refuses a URL whose password has ended the host too early, so that a part of the password is the path. */
function assertEncoded({ username, password, pathname, hash, searchParams }: URL): void {
  if (![username, password, pathname].every(isDecodable))
    throw wrongUrl(`has a % that begins no encoded character. ${ENCODE}`);
  const isCut = pathname.includes('@') || [...searchParams.keys()].some((key) => key.includes('@'));
  if (isCut || hash !== '') throw wrongUrl(`has a / or another mark in its password. ${ENCODE}`);
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function wrongUrl(problem = FORM) {
  // The value may contain a password, and a wrong one cannot be taken apart.
  return invalidConfig([{ key: 'queue', value: '(hidden)', problem }]);
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
