import { describe, expect, it } from 'vitest';
import { parseStoreUrl } from '../../../src/queue/store/store-url.js';
import { errorOf } from '../protocol/support.js';

describe('parseStoreUrl', () => {
  it.each([
    ['redis://h:1/2', 'redis', 'redis://h:1/2'],
    ['rediss://u:hunter2@h', 'redis', 'rediss://h'],
    ['postgres://u:hunter2@h:5432/db?sslmode=require', 'postgres', 'postgres://h:5432/db'],
    ['postgresql://h/', 'postgres', 'postgresql://h'],
    ['postgres://h/db?password=hunter2', 'postgres', 'postgres://h/db'],
  ])('shows %s without its credentials', (url, kind, shown) => {
    expect(parseStoreUrl(url, {})).toMatchObject({ kind, shown, url });
  });

  it.each([
    '',
    'hunter2',
    'http://u:hunter2@h',
    'mysql://u:hunter2@h',
    'u:hunter2@h:6379',
    'redis//u:hunter2@h',
    'postgres://u:hunter2@h:port/db',
    'redis://u:hunter2@h o s t',
  ])('refuses %j and does not repeat it', (url) => {
    const error = errorOf(() => parseStoreUrl(url, {}));
    expect(error.code).toBe('INVALID_CONFIG');
    expect(error.problems?.map(({ key }) => key)).toEqual(['queue']);
    expect(error.message).toContain('redis://, rediss://, postgres:// or postgresql://');
    expect(JSON.stringify([error.message, error.hint, error.problems])).not.toContain('hunter2');
  });

  it.each([
    'redis://localhost',
    'redis://127.0.0.1:6379',
    'redis://127.8.9.1',
    'redis://[::1]:6379',
    'postgres:///db',
    'postgres:///db?host=/var/run/postgresql',
    'postgres://localhost/db?host=127.0.0.1',
  ])('says that %s is on this machine', (url) => {
    expect(parseStoreUrl(url, {}).isLoopback).toBe(true);
  });

  it.each([
    'redis://10.0.0.1',
    'redis://127.example.org',
    'redis://127.0.0.1.example.org',
    'redis://localhost.example.org',
    'redis://localhost@example.org',
    'redis://0.0.0.0',
    'redis://[::2]',
    'postgres:///db?host=10.0.0.1',
    'postgres://localhost/db?host=10.0.0.1',
    'postgres://localhost/db?host=localhost&host=10.0.0.1',
    'postgres://10.0.0.1/db?host=localhost',
  ])('says that %s is elsewhere', (url) => {
    expect(parseStoreUrl(url, {}).isLoopback).toBe(false);
  });

  it('looks at PGHOST if a PostgreSQL has no other host', () => {
    const environment = { PGHOST: 'example.org' };
    expect(parseStoreUrl('postgres:///db', environment).isLoopback).toBe(false);
    expect(parseStoreUrl('postgres:///db', { PGHOST: '/tmp' }).isLoopback).toBe(true);
    expect(parseStoreUrl('postgres://localhost/db', environment).isLoopback).toBe(true);
    expect(parseStoreUrl('redis://', environment).isLoopback).toBe(true);
  });
});

describe('credentials of a Redis in the environment', () => {
  const environment = { REDIS_USERNAME: 'us/er', REDIS_PASSWORD: "p@ss:w/'ö%41" };

  it('are filled in and can be read back', () => {
    const url = new URL(parseStoreUrl('redis://h:1', environment).url);
    expect(decodeURIComponent(url.username)).toBe(environment.REDIS_USERNAME);
    expect(decodeURIComponent(url.password)).toBe(environment.REDIS_PASSWORD);
    expect(url.host).toBe('h:1');
  });

  it('give way to those of the URL', () => {
    expect(parseStoreUrl('redis://a:b@h', environment).url).toBe('redis://a:b@h');
    const { username } = new URL(parseStoreUrl('redis://a@h', environment).url);
    expect(username).toBe('a');
  });

  it('are not filled in for a PostgreSQL', () => {
    expect(parseStoreUrl('postgres://h/db', environment).url).toBe('postgres://h/db');
  });

  it('are removed from texts and not shown', () => {
    const { redactor, shown, url } = parseStoreUrl('redis://h', environment);
    expect(shown).toBe('redis://h');
    const text = redactor.text(`wrong: ${environment.REDIS_PASSWORD}, ${new URL(url).password}.`);
    expect(text).toBe('wrong: [redacted], [redacted].');
  });
});

describe('the redactor of a store', () => {
  it.each([
    ['postgres://u:correct%20horse@h/db', {}, 'correct horse'],
    ['postgres://u:correct%20horse@h/db', {}, 'correct%20horse'],
    ['postgres://u:100%25-or-%2F@h/db', {}, '100%-or-/'],
    ['postgres://h/db?user=u&password=correct%20horse', {}, 'correct horse'],
    ['postgres://h/db?sslkey=correct-horse', {}, 'correct-horse'],
    ['redis://h?authToken=correct-horse', {}, 'correct-horse'],
    ['postgres://h/db', { PGPASSWORD: 'correct-horse' }, 'correct-horse'],
  ])('of %s and %j removes %s', (url, environment, secret) => {
    const { redactor } = parseStoreUrl(url, environment);
    expect(redactor.text(`a ${secret} b`)).toBe('a [redacted] b');
  });

  it('leaves other texts as they are', () => {
    const { redactor } = parseStoreUrl('redis://h', { PGPASSWORD: '', REDIS_PASSWORD: '' });
    expect(redactor.text('connect ECONNREFUSED h:6379')).toBe('connect ECONNREFUSED h:6379');
  });
});
