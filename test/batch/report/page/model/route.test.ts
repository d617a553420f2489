import { describe, expect, it } from 'vitest';
import {
  formatRoute,
  parseRoute,
  type Route,
} from '../../../../../src/batch/report/page/model/route.js';

describe('a URL hash', () => {
  it.each<[string, Route]>([
    ['#overview', { view: 'overview' }],
    ['#steps', { view: 'steps', query: '', order: 'plan' }],
    [
      '#steps?state=failed&sort=tokens&q=a+b%26c',
      { view: 'steps', query: 'a b&c', state: 'failed', order: 'tokens' },
    ],
    ['#files?kind=conflicts', { view: 'files', query: '', filter: 'conflicts' }],
    ['#files?kind=sensitive', { view: 'files', query: '', filter: 'sensitive' }],
    ['#step/convert%5Bsrc/a%20b.ts%5D', { view: 'step', id: 'convert[src/a b.ts]' }],
    ['#file/src/100%25.ts', { view: 'file', path: 'src/100%.ts' }],
  ])('%s is parsed to its route and formatted back', (hash, route) => {
    expect(parseRoute(hash)).toEqual(route);
    expect(formatRoute(route)).toBe(hash);
  });

  it.each([
    'plain',
    'a/b/c',
    '../up',
    '?q=1&x',
    '#hash',
    '%41',
    ' line\nend ',
    '</script>"\'`',
    '\u202e\u2028',
    '日本語 👍',
  ])('can name any step and any file: %j', (key) => {
    for (const route of [
      { view: 'step', id: key },
      { view: 'file', path: key },
    ] as const) {
      expect(parseRoute(formatRoute(route))).toEqual(route);
      expect(formatRoute(route)).toMatch(/^#[!-~]+$/);
    }
  });

  it('is parsed if it was typed by hand', () => {
    expect(parseRoute('#step/convert[src/a.ts]')).toEqual({
      view: 'step',
      id: 'convert[src/a.ts]',
    });
    expect(parseRoute('#file/100%')).toEqual({ view: 'file', path: '100%' });
  });

  it.each(['', '#', '#nowhere', '#step', '#constructor'])('%j leads to the overview', (hash) => {
    expect(parseRoute(hash)).toEqual({ view: 'overview' });
  });

  it('with unknown values shows everything', () => {
    expect(parseRoute('#steps?state=odd&sort=toString')).toMatchObject({ order: 'plan' });
    expect(parseRoute('#steps?state=odd')).not.toHaveProperty('state', 'odd');
    expect(parseRoute('#files?kind=odd')).toMatchObject({ filter: undefined });
  });

  it('replaces a lone surrogate', () => {
    expect(formatRoute({ view: 'step', id: 'a\ud83d' })).toBe('#step/a%EF%BF%BD');
  });
});
