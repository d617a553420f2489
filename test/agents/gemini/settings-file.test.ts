import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  findSetting,
  loadSettings,
  parseJsonObject,
  settingsInForce,
} from '../../../src/agents/gemini/settings-file.js';
import { makeFolder } from '../../fixtures/cli/support.js';

describe('the settings of the CLI', () => {
  it('come from the user and the project, and may have comments', () => {
    const home = makeFolder({ 'settings.json': '{ // mine\n "a": 1 }' });
    const work = makeFolder({ '.gemini/settings.json': '{ "a": 2 /* ours */ }' });
    const settings = loadSettings(home, work);
    expect(settings).toEqual({
      user: { path: join(home, 'settings.json'), content: { a: 1 } },
      project: { path: join(work, '.gemini/settings.json'), content: { a: 2 } },
      broken: [],
    });
    expect(settingsInForce(settings, true).map(({ content }) => content['a'])).toEqual([2, 1]);
    expect(settingsInForce(settings, false).map(({ content }) => content['a'])).toEqual([1]);
  });

  it('are read once if the project is the home of the user', () => {
    const home = makeFolder({ '.gemini/settings.json': '{}' });
    const { user, project } = loadSettings(join(home, '.gemini'), home);
    expect([user?.content, project]).toEqual([{}, undefined]);
  });

  it.each(['', '{', '[]', 'null', '"x"', '7'])('are listed as broken if they are %j', (text) => {
    const home = makeFolder({ 'settings.json': text });
    expect(loadSettings(home, makeFolder())).toEqual({
      user: undefined,
      project: undefined,
      broken: [join(home, 'settings.json')],
    });
    expect(settingsInForce(loadSettings(home, makeFolder()), true)).toEqual([]);
  });

  it('may be missing', () => {
    expect(loadSettings(makeFolder(), makeFolder())).toMatchObject({ broken: [] });
  });

  it('are found by their key path, in the first file that has them', () => {
    const file = (content: Record<string, unknown>) => ({ path: 'x', content });
    const files = [file({ a: { b: { c: 0 } } }), file({ a: { b: { c: 1, d: 2 } }, e: null })];
    expect(findSetting(files, 'a.b.c')).toBe(0);
    expect(findSetting(files, 'a.b.d')).toBe(2);
    expect(findSetting(files, 'e.f')).toBeUndefined();
    expect(findSetting(files, 'a.b.c.d')).toBeUndefined();
    expect(findSetting([], 'a')).toBeUndefined();
  });

  it('are parsed as an object, or not at all', () => {
    expect(parseJsonObject('{"a":1}')).toEqual({ a: 1 });
    expect(parseJsonObject('[1]')).toBeUndefined();
    expect(parseJsonObject('{"a":1,}')).toBeUndefined();
  });
});

describe('a key path in the settings', () => {
  const files = [{ path: '', content: { a: { b: { c: false } }, text: 'x', nothing: null } }];

  it('is read from the first file that has it', () => {
    const both = [{ path: '', content: { a: 1 } }, ...files];
    expect(findSetting(both, 'a')).toBe(1);
    expect(findSetting(both, 'text')).toBe('x');
  });

  it.each([
    ['a.b.c', false],
    ['a.b', { c: false }],
    ['a.b.c.d', undefined],
    ['text.length', undefined],
    ['nothing', null],
    ['nothing.more', undefined],
    ['none', undefined],
  ])('%s holds %j', (key, value) => {
    expect(findSetting(files, key)).toEqual(value);
  });
});

describe('an optional file', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['{"a":1 // one\n}', { a: 1 }],
    ['', undefined],
    ['7', undefined],
    ['null', undefined],
    ['[1]', undefined],
    ['"text"', undefined],
  ])('with %j is parsed as an object, or not at all', (text, value) => {
    expect(parseJsonObject(text)).toEqual(value);
  });
});
