import { describe, expect, it } from 'vitest';
import { createRedactor, noSecrets, secretsOf } from '../../../src/base/errors/redact.js';

const API_KEY = `AIza${'Sy0-_'.repeat(7)}`;

describe('a redactor', () => {
  it('hides every occurrence of its secrets', () => {
    const redactor = createRedactor(['hunter2-hunter2', 'other-secret']);
    expect(redactor.text('a hunter2-hunter2 b other-secret c hunter2-hunter2')).toBe(
      'a [redacted] b [redacted] c [redacted]',
    );
  });

  it('leaves other text alone', () => {
    expect(createRedactor(['hunter2-hunter2']).text('nothing to see')).toBe('nothing to see');
  });

  it('hides a secret as a whole if it contains another one', () => {
    const redactor = createRedactor(['abcdefgh', 'abcdefgh-and-more']);
    expect(redactor.text('x abcdefgh-and-more y')).toBe('x [redacted] y');
  });

  it('does not treat a secret as a pattern', () => {
    expect(createRedactor(['a.c$&(x)[y]']).text('abc$&(x)[y] a.c$&(x)[y]')).toBe(
      'abc$&(x)[y] [redacted]',
    );
  });

  it.each([0, 1, 2, 3])(
    'hides a secret written as JSON inside of JSON, %i levels deep',
    (depth) => {
      const secret = 'pa"ss\\word\n123';
      let written = secret;
      for (let level = 0; level < depth; level++) written = JSON.stringify(written).slice(1, -1);
      expect(createRedactor([secret]).text(`before ${written} after`)).toBe(
        'before [redacted] after',
      );
    },
  );
});

describe('a secret with half of a surrogate pair', () => {
  it.each([
    ['as given', '\ud800abcdefgh'],
    ['as received by a process', '\ufffdabcdefgh'],
    ['as JSON', JSON.stringify('\ud800abcdefgh').slice(1, -1)],
    ['in a URL', '%EF%BF%BDabcdefgh'],
  ])('is hidden %s', (_how, written) => {
    expect(createRedactor(['\ud800abcdefgh']).text(`a ${written} b`)).toBe('a [redacted] b');
  });
});

describe('a text without known secrets', () => {
  it.each([
    ['an API key', `key ${API_KEY} used`, 'key [redacted] used'],
    ['an access token', `ya29.${'a0-_'.repeat(8)} used`, '[redacted] used'],
    ['a refresh token', `1//0${'g9-_'.repeat(8)} used`, '[redacted] used'],
    [
      'a bearer token',
      'authorization: Bearer abcdef0123456789==',
      'authorization: Bearer [redacted]',
    ],
    [
      'a key in an address',
      'GET /v1beta?alt=sse&key=abcd1234&x=1',
      'GET /v1beta?alt=sse&key=[redacted]&x=1',
    ],
    ['a key first in an address', '"https://x/?key=abcd1234"', '"https://x/?key=[redacted]"'],
    ['a password in an address', 'http://joe:p@ss@host:80/x', 'http://joe:[redacted]@host:80/x'],
    ['a password without a name', 'redis://:pass@host', 'redis://:[redacted]@host'],
  ])('is rid of %s', (_what, text, expected) => {
    expect(noSecrets.text(text)).toBe(expected);
  });

  it.each([
    'AIza',
    'Bearer of bad news',
    'monkey=banana1234',
    '1//0',
    'ya29.',
    'ssh://git@github.com/a/b',
    'http://localhost:8080/@scope/a@1',
    '{"url":"http://localhost:8080","mail":"joe@example.com"}',
    'http://localhost:8080?mail=joe@example.com',
  ])('keeps "%s"', (text) => {
    expect(noSecrets.text(text)).toBe(text);
  });
});

describe('a secret', () => {
  it.each([
    ['in a URL', encodeURIComponent('p/w+d=12345&x')],
    ['in JSON inside of JSON', JSON.stringify(JSON.stringify('p/w+d=12345&x'))],
  ])('is recognised %s', (_where, form) => {
    expect(createRedactor(['p/w+d=12345&x']).text(form)).not.toContain('12345');
  });

  it('may begin with a slash', () => {
    expect(secretsOf({ MY_SECRET: '/base64+looks/like+this==' })).toHaveLength(1);
  });
});

describe('plain data', () => {
  const redactor = createRedactor(['planted-secret']);

  it('is copied with the secrets taken out of every string inside', () => {
    const data = {
      list: ['planted-secret', 1, true, null],
      inner: { text: `key=planted-secret and ${API_KEY}` },
    };
    expect(redactor.value(data)).toEqual({
      list: ['[redacted]', 1, true, null],
      inner: { text: 'key=[redacted] and [redacted]' },
    });
    expect(data.list[0]).toBe('planted-secret');
  });

  it('has the secrets taken out of its keys, too (claim: secrets-hidden)', () => {
    expect(redactor.value({ inner: { 'a planted-secret': 1, b: 2 } })).toEqual({
      inner: { 'a [redacted]': 1, b: 2 },
    });
  });

  it('may be a single string', () => {
    expect(redactor.value('planted-secret')).toBe('[redacted]');
  });

  it('may be null or undefined, which stay unchanged', () => {
    expect(redactor.value(undefined)).toBeUndefined();
    expect(redactor.value(null)).toBeNull();
  });
});

describe('the secrets of an environment', () => {
  it.each([
    'GEMINI_API_KEY',
    'GOOGLE_API_KEY',
    'GITHUB_TOKEN',
    'CLIENT_SECRET',
    'DB_PASSWORD',
    'MY_CREDENTIAL',
    'npm_config_token',
  ])('include %s', (name) => {
    expect(secretsOf({ [name]: 'long-enough-value' })).toEqual(['long-enough-value']);
  });

  it('do not include ordinary variables', () => {
    expect(
      secretsOf({ LANG: 'en_GB.UTF-8', HOME: '/home/user', EDITOR: 'editor-of-choice' }),
    ).toEqual([]);
  });

  it('include named variables, however short they are (claim: secrets-named)', () => {
    expect(secretsOf({ PIN: '12', OTHER: '34', EMPTY: '' }, ['PIN', 'EMPTY'])).toEqual(['12']);
    expect(createRedactor(['12']).text('pin 12, 3412')).toBe('pin [redacted], 34[redacted]');
  });

  it('do not include paths, short values and undefined variables', () => {
    expect(
      secretsOf({
        GOOGLE_APPLICATION_CREDENTIALS: '/home/user/service-account.json',
        SHORT_KEY: 'true',
        ABSENT_TOKEN: undefined,
      }),
    ).toEqual([]);
  });
});

describe('a text in pieces', () => {
  it('has the replacement where the secret begins', () => {
    const { pieces } = createRedactor(['planted-secret']);
    expect(pieces(['a plan', 'ted-', 'secret b', ' planted-secret'])).toEqual([
      'a [redacted]',
      '',
      ' b',
      ' [redacted]',
    ]);
    expect(pieces(['nothing ', 'here'])).toEqual(['nothing ', 'here']);
  });
});

it('a million spaces, and a million words that look like a credential, are searched in one pass', () => {
  const redactor = createRedactor(['planted-secret']);
  for (const text of [
    ' '.repeat(1e6),
    'Bearer '.repeat(1e5),
    '://a:'.repeat(2e5),
    '?key='.repeat(2e5),
  ]) {
    expect(redactor.text(text).length).toBeGreaterThan(0);
  }
});
