import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  compareVersions,
  drawVersionTable,
  insertVersionTable,
  MANUAL,
  readResults,
} from '../../.config/version-table.mjs';

const results = readResults();
const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
const oldest = manifest.peerDependencies['@google/gemini-cli'].replace('>=', '');

describe('the table of CLI versions', () => {
  it('is that of the last run of npm run test:versions', () => {
    const manual = readFileSync(MANUAL, 'utf8');
    expect(insertVersionTable(manual, drawVersionTable(results))).toBe(manual);
  });

  it('says yes for every promise on every version that npm accepts beside this package', () => {
    const broken = Object.entries(results.versions)
      .filter(([version]) => compareVersions(version, oldest) >= 0)
      .flatMap(([version, drivers]) =>
        Object.entries(drivers).flatMap(([driver, promises]) =>
          Object.entries(promises).flatMap(([promise, isKept]) =>
            isKept ? [] : `${version} ${driver}: ${promise}`,
          ),
        ),
      );
    expect(broken).toEqual([]);
  });

  it('tells which driver keeps a promise alone', () => {
    const versions = {
      '0.9.0': { headless: { a: true, b: true }, acp: { a: false, b: true } },
      '0.10.0': { headless: { a: false, b: true }, acp: { a: false } },
    };
    expect(drawVersionTable({ node: '', versions })).toBe(
      '| | 0.9.0 | 0.10.0 |\n|---|---|---|\n| a | headless only | no |\n| b | yes | yes |',
    );
  });
});
