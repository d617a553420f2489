import { describe, expect, it } from 'vitest';
import { createPageModel } from '../../../../../src/batch/report/page/model/page-model.js';
import {
  createSearchIndex,
  findSnippet,
  splitAtMatches,
} from '../../../../../src/batch/report/page/model/search.js';
import { aFile, aReport, aStep } from '../../report-builder.js';

describe('the search', () => {
  const steps = [
    aStep('convert[src/a.ts]', { prompt: 'Translate the Module.', text: 'Fertig.' }),
    aStep('test', {
      prompt: 'Run it.',
      text: 'All 12 tests pass.',
      files: [aFile('test/x.spec.ts')],
    }),
    aStep('docs', { state: 'pending' }),
  ];
  const file = {
    path: 'test/x.spec.ts',
    absolutePath: '/w/test/x.spec.ts',
    kind: 'created',
    bytes: 1,
    steps: ['test'],
    conflicts: [],
  } as const;
  const search = createSearchIndex(createPageModel(aReport(steps, { files: [file] })));
  const idsFor = (query: string): readonly string[] => search.findSteps(query).map(({ id }) => id);

  it.each([
    ['', ['convert[src/a.ts]', 'test', 'docs']],
    ['  ', ['convert[src/a.ts]', 'test', 'docs']],
    ['CONVERT', ['convert[src/a.ts]']],
    ['module', ['convert[src/a.ts]']],
    ['fertig', ['convert[src/a.ts]']],
    ['tests 12', ['test']],
    ['x.spec', ['test']],
    ['[src/', ['convert[src/a.ts]']],
    ['.*', []],
    ['undefined', []],
  ])('with the query %j finds the steps %j', (query, ids) => {
    expect(idsFor(query)).toEqual(ids);
  });

  it('finds files by their paths', () => {
    expect(search.findFiles('SPEC test').map(({ path }) => path)).toEqual(['test/x.spec.ts']);
    expect(search.findFiles('nothing')).toEqual([]);
  });
});

describe('matches of a query', () => {
  it('are split from the text wherever they occur', () => {
    expect(splitAtMatches('Banana bread', 'an BREAD')).toEqual([
      { text: 'B', isMatch: false },
      { text: 'an', isMatch: true },
      { text: 'an', isMatch: true },
      { text: 'a ', isMatch: false },
      { text: 'bread', isMatch: true },
    ]);
  });

  it.each(['(', '[a', '\\', 'a-b', 'a/b', '$&', '{2}', '\ud83d', '^', 'x|y'])(
    'of %j are literal, not a regular expression',
    (query) => {
      const text = `before ${query} after`;
      expect(splitAtMatches(text, query).filter(({ isMatch }) => isMatch)).toEqual([
        { text: query, isMatch: true },
      ]);
    },
  );

  it('are shown in a snippet with the text around them', () => {
    const prompt = `${'word '.repeat(50)}needle\nin the hay ${'word '.repeat(50)}`;
    const snippet = findSnippet(aStep('one', { prompt }), 'one needle');
    expect(snippet).toMatch(/^…/);
    expect(snippet).toContain('needle in the hay');
    expect(snippet.length).toBeLessThan(220);
  });

  it('in the id alone give the prompt as snippet', () => {
    const step = aStep('needle', { prompt: 'Find it.' });
    expect(findSnippet(step, 'needle')).toBe('Find it.');
  });

  it('in the text or in a path give a snippet from there', () => {
    const step = aStep('one', { prompt: 'x', text: 'the needle', files: [aFile('src/pin.ts')] });
    expect([findSnippet(step, 'needle'), findSnippet(step, 'pin')]).toEqual([
      'the needle',
      'src/pin.ts',
    ]);
  });
});
