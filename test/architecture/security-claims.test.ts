import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(join(root, 'src/security.md'), 'utf8');

/** Ids of the tables of the page whose first column is `claim`. */
const claims = [...page.matchAll(/^\| claim \|[^\n]*\n\|[-|]+\|\n((?:\|[^\n]*\n)+)/gm)].flatMap(
  ([, rows]) => [...`${rows}`.matchAll(/^\| `([a-z0-9-]+)` \|/gm)].map(([, id]) => `${id}`),
);

/** Ids in titles of tests: `(claim: id)` or `(claim: id, id)`. */
const proven = ['test', 'integration'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && !name.endsWith('.stress.test.ts'))
    .filter((name) => !name.endsWith('security-claims.test.ts'))
    .flatMap((name) => {
      const text = readFileSync(join(root, folder, name), 'utf8');
      return [...text.matchAll(/\(claim: ([^)]+)\)/g)].flatMap(([, ids]) => `${ids}`.split(', '));
    }),
);

describe('the security page', () => {
  it('has a row for every claim, once', () => {
    expect(claims.length).toBeGreaterThan(20);
    expect(claims.filter((claim, index) => claims.indexOf(claim) !== index)).toEqual([]);
  });

  it('claims nothing that no test of the gate proves', () => {
    expect(claims.filter((claim) => !proven.includes(claim))).toEqual([]);
  });

  it('leaves out nothing that a test proves', () => {
    expect([...new Set(proven)].filter((claim) => !claims.includes(claim))).toEqual([]);
  });
});
