import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  findSetting,
  parseJsonObject,
  readIfThere,
  readSettings,
} from '../../src/doctor/read-settings.js';
import { makeFolder } from '../fixtures/cli/support.js';

describe('the settings of the CLI', () => {
  it("are those of the project, then the user's, comments and all", () => {
    const project = makeFolder({ '.gemini/settings.json': '{"model":{"name":"a"}}' });
    const home = makeFolder({
      'settings.json': '// mine\n{"model":{"name":"b"},/* */"ui":{"x":1}}',
    });
    const { files, findings } = readSettings(home, project);
    expect(findings).toEqual([]);
    expect(files.map(({ path }) => path)).toEqual([
      join(project, '.gemini/settings.json'),
      join(home, 'settings.json'),
    ]);
    expect(findSetting(files, 'model.name')).toBe('a');
    expect(findSetting(files, 'ui.x')).toBe(1);
  });

  it('need not be there', () => {
    expect(readSettings(makeFolder(), makeFolder())).toEqual({ files: [], findings: [] });
  });

  it('that cannot be read are a problem, and the others still count', () => {
    const project = makeFolder({ '.gemini/settings.json': '{oops' });
    const home = makeFolder({ 'settings.json': '{"a":1}' });
    const { files, findings } = readSettings(home, project);
    expect(findings).toEqual([
      {
        check: 'settings',
        status: 'problem',
        message: `${join(project, '.gemini/settings.json')} is not JSON`,
        fix: expect.stringContaining('52'),
      },
    ]);
    expect(findSetting(files, 'a')).toBe(1);
  });
});

describe('a place in the settings', () => {
  const files = [{ path: '', content: { a: { b: { c: false } }, text: 'x', nothing: null } }];

  it.each([
    ['a.b.c', false],
    ['a.b', { c: false }],
    ['a.b.c.d', undefined],
    ['text.length', undefined],
    ['nothing', null],
    ['nothing.more', undefined],
    ['none', undefined],
  ])('%s holds %j', (place, value) => {
    expect(findSetting(files, place)).toEqual(value);
  });
});

describe('a file that may be there', () => {
  it('is read or not', () => {
    const folder = makeFolder({ a: 'text' });
    expect(readIfThere(join(folder, 'a'))).toBe('text');
    expect(readIfThere(join(folder, 'b'))).toBeUndefined();
    expect(readIfThere(folder)).toBeUndefined();
  });

  it.each([
    ['{"a":1}', { a: 1 }],
    ['{"a":1 // one\n}', { a: 1 }],
    ['', undefined],
    ['7', undefined],
    ['null', undefined],
    ['"text"', undefined],
  ])('%j is an object or nothing', (text, value) => {
    expect(parseJsonObject(text)).toEqual(value);
  });
});

describe('settings in a home that is the working directory too', () => {
  it('are read once', () => {
    const folder = makeFolder({ '.gemini/settings.json': '{oops' });
    expect(readSettings(join(folder, '.gemini'), folder).findings).toHaveLength(1);
  });
});
