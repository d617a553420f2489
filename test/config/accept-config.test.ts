import { describe, expect, it } from 'vitest';
import { acceptConfig } from '../../src/config/accept-config.js';
import { failureOf } from '../fixtures/cli/support.js';

class Options {
  readonly model = 'x';
}

describe('what is given as a configuration', () => {
  it.each([
    ['a literal', { model: 'x' }],
    ['an object without a prototype', Object.assign(Object.create(null), { model: 'x' })],
  ])('may be %s', (_what, config) => {
    expect(acceptConfig(config).config.model).toBe('x');
  });

  it.each([[undefined], [null]])('may be left out (%s)', (config) => {
    expect(acceptConfig(config).values).toEqual({});
  });

  it.each([
    ['a Map', new Map([['model', 'x']]), 'must be a plain object, not an instance'],
    ['a Date', new Date(0), 'must be a plain object, not an instance'],
    ['an instance of a class', new Options(), 'must be a plain object, not an instance'],
    ['a list', ['model'], 'must be an object'],
    ['a number', 5, 'must be an object'],
    ['a number that JSON does not know', Number.NaN, 'must be an object'],
    ['a large number', 5n, 'must be an object'],
    ['a truth value', true, 'must be an object'],
    ['a text', 'model', 'must be an object'],
    ['a function', () => ({}), 'must be an object'],
    ['a symbol', Symbol('model'), 'must be an object'],
  ])('may not be %s', async (_what, config, problem) => {
    expect(await failureOf(() => acceptConfig(config))).toMatchObject({
      code: 'INVALID_CONFIG',
      problems: [{ key: 'config', problem }],
    });
  });

  it.each(['A=B', '', 'A\0'])('names a variable whose name is wrong: %j', async (name) => {
    expect(await failureOf(() => acceptConfig({ env: { [name]: 'x' } }))).toMatchObject({
      problems: [
        {
          key: `env.${name}`,
          value: '(hidden)',
          problem: expect.stringContaining('name that no variable can have'),
        },
      ],
    });
  });
});
