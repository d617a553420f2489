import { describe, expect, it } from 'vitest';
import { pickTravelling, TRAVELLING_KEYS } from '../../../src/queue/protocol/travelling-options.js';
import { errorOf } from './support.js';

function problemsOf(values: Readonly<Record<string, unknown>>) {
  const error = errorOf(() => pickTravelling(values));
  expect(error.code).toBe('INVALID_CONFIG');
  return error.problems ?? [];
}

describe('pickTravelling', () => {
  it('lets every travelling option through as it is', () => {
    const values = Object.fromEntries(TRAVELLING_KEYS.map((key, index) => [key, { index }]));
    expect(pickTravelling(values)).toEqual(values);
  });

  it('leaves out what the worker decides by itself, and the folder', () => {
    const own = {
      transport: 'acp',
      trustWorkspace: true,
      compileCache: false,
      processIsolation: 'x',
      pool: {},
      logger: { info() {} },
      workingDir: '/w',
    };
    expect(pickTravelling({ ...own, model: 'm' })).toEqual({ model: 'm' });
  });

  it.each([
    ['env', /set the variables on the worker/],
    ['secrets', /name the variables in the configuration of the worker/],
    ['onPermission', /is a function/],
    ['clientFiles', /files are read and written there/],
    ['includeDirectories', /folders of this machine/],
    ['keepArtifacts', /a folder of this machine/],
    ['cliPath', /set it in the configuration of the worker/],
    ['extraArgs', /set it in the configuration of the worker/],
    ['mcpServers', /set it in the configuration of the worker/],
  ])('refuses %s by name', (key, problem) => {
    const [first, ...others] = problemsOf({ model: 'm', [key]: 'x' });
    expect(others).toEqual([]);
    expect(first?.key).toBe(key);
    expect(first?.problem).toMatch(problem);
  });

  it('names all refused options at once (claim: queue-options)', () => {
    const problems = problemsOf({ env: {}, model: 'm', cliPath: '/x', expects: () => true });
    expect(problems.map(({ key }) => key)).toEqual(['env', 'cliPath', 'expects']);
  });

  it('shows no value of a refused option', () => {
    const values = { env: { A: 'hunter2' }, cliPath: 'hunter2', extraArgs: ['hunter2'] };
    const error = errorOf(() => pickTravelling(values));
    expect(JSON.stringify([error.message, error.hint, error.problems])).not.toContain('hunter2');
  });

  it.each([
    ['a function', () => true],
    ['a symbol', Symbol('x')],
    ['a bigint', 1n],
    ['an object of a class', new Date()],
    ['a map', new Map()],
    ['a function deep inside', { json: [{ schema: { parse() {} } }] }],
  ])('refuses %s, which JSON cannot express', (_, expects) => {
    const problems = problemsOf({ expects });
    expect(problems).toHaveLength(1);
    expect(problems[0]?.problem).toContain('give a JSON Schema');
  });

  it('refuses an object that contains itself', () => {
    const expects: Record<string, unknown> = {};
    expects['self'] = expects;
    expect(problemsOf({ expects }).map(({ key }) => key)).toEqual(['expects']);
  });

  it('accepts a JSON Schema, also one without a prototype', () => {
    const schema = Object.assign(Object.create(null), { type: 'object', nullable: null });
    const expects = { json: { schema, other: [1, 'a', false] } };
    expect(pickTravelling({ expects })).toEqual({ expects });
  });
});
