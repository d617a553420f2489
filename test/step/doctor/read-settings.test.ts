import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  findSetting,
  parseJsonObject,
  readIfThere,
} from '../../../src/agents/gemini/settings-file.js';
import { readSettings } from '../../../src/step/doctor/read-settings.js';
import { makeFolder } from '../../fixtures/cli/support.js';

describe('the settings of the CLI', () => {
  it("are the user's and those of the project, comments and all", () => {
    const workspace = makeFolder({ '.gemini/settings.json': '{"model":{"name":"a"}}' });
    const home = makeFolder({
      'settings.json': '// mine\n{"model":{"name":"b"},/* */"ui":{"x":1}}',
    });
    const paths = [join(workspace, '.gemini/settings.json'), join(home, 'settings.json')];
    expect(readSettings(home, workspace)).toEqual({
      project: { path: paths[0], content: { model: { name: 'a' } } },
      user: { path: paths[1], content: { model: { name: 'b' }, ui: { x: 1 } } },
      broken: [],
      findings: paths.map((message) => ({ check: 'settings', status: 'ok', message })),
    });
  });

  it('need not be there', () => {
    expect(readSettings(makeFolder(), makeFolder())).toEqual({
      broken: [],
      findings: [{ check: 'settings', status: 'ok', message: 'None' }],
    });
  });

  it.each(['{oops', '[]', '"text"'])('that are %s are a problem, and the others count', (text) => {
    const workspace = makeFolder({ '.gemini/settings.json': text });
    const home = makeFolder({ 'settings.json': '{"a":1}' });
    const { user, project, findings } = readSettings(home, workspace);
    expect(findings.at(-1)).toEqual({
      check: 'settings',
      status: 'problem',
      message: `${join(workspace, '.gemini/settings.json')} is not a JSON object`,
      fix: expect.stringContaining('52'),
    });
    expect(project).toBeUndefined();
    expect(user?.content).toEqual({ a: 1 });
  });

  it('in a home that is the working directory too are those of the user', () => {
    const folder = makeFolder({ '.gemini/settings.json': '{"a":1}' });
    const { user, project, findings } = readSettings(join(folder, '.gemini'), folder);
    expect([user?.content, project]).toEqual([{ a: 1 }, undefined]);
    expect(findings).toHaveLength(1);
  });
});

describe('a place in the settings', () => {
  const files = [{ path: '', content: { a: { b: { c: false } }, text: 'x', nothing: null } }];

  it('is that of the first file that has it', () => {
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
    ['[1]', undefined],
    ['"text"', undefined],
  ])('%j is an object or nothing', (text, value) => {
    expect(parseJsonObject(text)).toEqual(value);
  });
});
