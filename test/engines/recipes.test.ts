import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

interface EngineRow {
  readonly engine: string;
  readonly version: string;
  readonly date: string;
  readonly checks: readonly string[];
}

describe('the table of engines', () => {
  const rows: readonly EngineRow[] = JSON.parse(read('integration/engines/results.json'));
  const page = read('src/engines/README.md');

  it('repeats the last run of `npm run test:engines`', () => {
    const table = page.split('| engine | version | date | passed |\n|---|---|---|---|\n')[1] ?? '';
    const documented = table.split('\n\n')[0]?.split('\n');
    expect(documented).toEqual(
      rows.map(({ engine, version, date, checks }) => {
        return `| ${engine} | ${version} | ${date} | ${checks.join('; ')} |`;
      }),
    );
  });

  it('has every check of each engine', () => {
    for (const { engine, checks } of rows) {
      const program = read(`integration/engines/${engine}.mjs`);
      const names = [...program.matchAll(/^await check\('([^']+)'/gm)].map(([, name]) => name);
      expect(names.length).toBeGreaterThan(2);
      expect(checks).toEqual(names);
    }
    expect(rows.map(({ engine }) => engine)).toEqual([
      'langgraph',
      'mastra',
      'temporal',
      'restate',
    ]);
  });
});
