import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  drawBorders,
  findBorderProblems,
  insertDrawing,
  readImports,
} from '../../.config/borders.mjs';

const readme = readFileSync(new URL('../../src/README.md', import.meta.url), 'utf8');

describe('the borders of the source tree', () => {
  let found: Awaited<ReturnType<typeof readImports>>;

  beforeAll(async () => {
    found = await readImports();
  });

  it('are kept by every import, and every permission is used', () => {
    expect(found.imports.length).toBeGreaterThan(1000);
    expect(findBorderProblems(found.imports)).toEqual([]);
  });

  it('allow no import cycle', () => {
    expect(found.cycles).toEqual([]);
  });

  it('are drawn in src/README.md as they are (npm run borders -- --draw)', () => {
    expect(readme).toBe(insertDrawing(readme, drawBorders(found.imports)));
  });
});

describe('findBorderProblems', () => {
  const wings = { api: [], base: ['api'], step: ['api', 'base'] };
  const libraries = { execa: ['base/process'] };
  const used = [
    { from: 'base/a.ts', to: 'api/x.ts', isLibrary: false },
    { from: 'step/a.ts', to: 'api/x.ts', isLibrary: false },
    { from: 'step/a.ts', to: 'base/a.ts', isLibrary: false },
    { from: 'base/process/run.ts', to: 'execa', isLibrary: true },
  ];

  it('accepts imports that the tables allow', () => {
    const entry = { from: 'index.ts', to: 'step/a.ts', isLibrary: false };
    expect(findBorderProblems([...used, entry], wings, libraries)).toEqual([]);
  });

  it('reports an import across a border and a library outside of its home', () => {
    const bad = [
      { from: 'api/x.ts', to: 'base/a.ts', isLibrary: false },
      { from: 'step/a.ts', to: 'execa', isLibrary: true },
      { from: 'step/a.ts', to: 'left-pad', isLibrary: true },
    ];
    expect(findBorderProblems([...used, ...bad], wings, libraries)).toEqual([
      'src/api/x.ts imports src/base/a.ts: api may import nothing',
      'src/step/a.ts imports execa, which lives in base/process',
      'src/step/a.ts imports left-pad, which lives in no wing',
    ]);
  });

  it('reports a wing that is missing in the table', () => {
    const stray = { from: 'attic/a.ts', to: 'api/x.ts', isLibrary: false };
    expect(findBorderProblems([...used, stray], wings, libraries)).toEqual([
      'src/attic/a.ts: the wing attic is not in the table',
    ]);
  });

  it('reports permissions that no import uses', () => {
    expect(findBorderProblems(used.slice(0, 2), wings, libraries)).toEqual([
      'No import uses the permission step → base',
      'No import uses the home of execa in base/process',
    ]);
  });
});
