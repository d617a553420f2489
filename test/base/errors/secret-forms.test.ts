import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../../src/base/errors/redact.js';
import { formsOf } from '../../../src/base/errors/secret-forms.js';

const SECRET = 'pä/ss <w+rd>&12"3';
const LINES = [
  '-----BEGIN KEY-----',
  'c2VjcmV0LWxpbmUtbnVtYmVyLW9uZQ',
  'bmV4dCBsaW5lIG9m',
  'e==',
  '',
];
const PEM = LINES.join('\n');
const LONG = 'k3y+'.repeat(50);
const SERVICE = JSON.stringify({ type: 'service_account', private_key: PEM });

const json = (text: string) => JSON.stringify(text).slice(1, -1);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const ascii = (text: string) =>
  json(text).replace(/[^ -~]|[<>&]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
const wrap = (text: string, width: number) =>
  text.replace(new RegExp(`(.{${width}})`, 'g'), '$1\n');

/** For each row of the table in the README: the secret, and texts that must not keep any of the words after them. */
const ROWS: Readonly<Record<string, readonly [string, readonly string[], RegExp]>> = {
  'as it is': [SECRET, [SECRET], /w.rd/],
  'in JSON, up to three levels deep': [
    SECRET,
    [json(SECRET), json(json(SECRET)), json(json(json(SECRET)))],
    /w.rd/,
  ],
  'in ASCII JSON (`\\u00e9`, `\\u003c`)': [SECRET, [ascii(SECRET)], /w.rd/],
  'in a URL (`%2F`, `%2f`, `+` for a space)': [
    SECRET,
    [
      encodeURIComponent(SECRET),
      encodeURIComponent(SECRET).replace(/%../g, (part) => part.toLowerCase()),
      encodeURIComponent(SECRET).replaceAll('%20', '+'),
    ],
    /w%2|rd%/i,
  ],
  'base64, also in the middle of longer base64, also with `-` and `_`': [
    'subjects?_d>~ÿÿ>',
    ['', 'a', 'ab', 'user:'].flatMap((before) => {
      const whole = base64(`${before}subjects?_d>~ÿÿ>`);
      const inside = base64(`${before}subjects?_d>~ÿÿ>:after`);
      return [whole, inside, Buffer.from(whole, 'base64').toString('base64url')];
    }),
    /[jJ][eE][cC][tT]|amVj|plY3|qZWN/,
  ],
  'base64 in lines of 64 or 76 characters': [
    LONG,
    [wrap(base64(LONG), 76), wrap(base64(LONG), 64)],
    /azN5|N5K2|M3kr/,
  ],
  'hexadecimal, in small or capital letters': [
    SECRET,
    [Buffer.from(SECRET).toString('hex'), Buffer.from(SECRET).toString('hex').toUpperCase()],
    /7373/,
  ],
  'a line of a value with several lines, from eight characters': [
    PEM,
    LINES.slice(1, 3).map((line) => `+   ${line}`),
    /c2Vj|bmV4/,
  ],
  'a value with several lines in a diff (`+`, `-`, space), or with CRLF': [
    PEM,
    ['\n+', '\n-', '\n ', '\r\n'].flatMap((joint) => {
      const shown = LINES.slice(0, 4).join(joint);
      return [shown, json(shown)];
    }),
    /c2Vj|bmV4|e==/,
  ],
  'the token of `Bearer` or `Basic`, a value of a cookie': [
    `Basic ${base64('joe:open-sesame')}`,
    ['open-sesame', base64('joe:open-sesame')],
    /sesame|c2VzYW1l/,
  ],
  'a secret field of a value that is JSON (`private_key`)': [
    SERVICE,
    [PEM, ...LINES.slice(1, 3)],
    /c2Vj/,
  ],
};

describe('the table of forms in the README', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../../src/base/README.md'), 'utf8');
  const hidden = [...readme.matchAll(/^\| (.+) \| yes \|$/gm)].map(([, form]) => form);
  const elsewhere = [
    'cut into several events of a recording (`keepArtifacts`)',
    'as a key of an object',
  ];

  it('has the rows of this test', () => {
    expect(hidden).toEqual([...Object.keys(ROWS), ...elsewhere]);
  });

  it.each(Object.entries(ROWS))(
    'is true: a secret is hidden %s (claim: secrets-hidden)',
    (_form, [secret, texts, rest]) => {
      const redactor = createRedactor([secret]);
      for (const text of texts) {
        const shown = redactor.text(`before ${text} after`);
        expect(shown).toMatch(/^before [\s\S]*\[redacted\][\s\S]* after$/);
        expect(shown).not.toMatch(rest);
      }
    },
  );

  it.each([
    ['base64 in lines of another width', wrap(base64(LONG), 50)],
    ['base64 of base64', base64(base64(SECRET))],
    ['a part of the value', SECRET.slice(0, 10)],
    ['a short line of a value with several lines', 'e=='],
  ])('is true: %s is not hidden', (_form, text) => {
    expect(createRedactor([SECRET, PEM, LONG]).text(text)).toContain(text.slice(10, 40).trim());
  });
});

describe('the forms of a secret', () => {
  it('include the token of a header and the values of a cookie', () => {
    expect(formsOf('Bearer abc-def-ghi')).toContain('abc-def-ghi');
    expect(formsOf('sid=abcdefghij; theme=dark')).toContain('abcdefghij');
    expect(formsOf('sid=abcdefghij; theme=dark')).not.toContain('dark');
  });

  it('do not include public lines, public fields and broken JSON', () => {
    expect(formsOf(PEM)).not.toContain('-----BEGIN KEY-----');
    expect(formsOf(SERVICE)).not.toContain('service_account');
    expect(formsOf('{not json at all')).toContain('{not json at all');
    expect(formsOf('[1,2,3,4,5,6]')).toContain('[1,2,3,4,5,6]');
  });

  it('of a short value have no encoded ones, which ordinary words would contain', () => {
    expect(formsOf('abc')).toEqual(['abc']);
  });

  it('of a very long value have no encoded ones', () => {
    expect(formsOf('x'.repeat(20_000))).toHaveLength(1);
  });

  it('are hidden in any surroundings (claim: secrets-hidden)', () => {
    const letters = fc.string({ unit: 'grapheme', minLength: 8, maxLength: 40 });
    fc.assert(
      fc.property(letters, fc.string(), fc.string(), (secret, before, after) => {
        const redactor = createRedactor([secret]);
        expect(redactor.text(`${before}${secret}${after}`)).toContain('[redacted]');
        const inside = Buffer.from(`${before}${secret}${after}`).toString('base64');
        expect(redactor.text(inside)).toContain('[redacted]');
      }),
      { numRuns: 60 },
    );
  });
});
