import { describe, expect, it } from 'vitest';
import { invalidConfig, toProblem } from '../../src/config/config-problem.js';
import { normaliseKeys, resolveConfig } from '../../src/config/resolve-config.js';

function problemsOf(input: object) {
  try {
    const { values, problems } = normaliseKeys(input);
    resolveConfig(values, problems);
  } catch (error) {
    return JSON.parse(JSON.stringify(error));
  }
  throw new Error('nothing was wrong');
}

describe('a problem of the configuration', () => {
  it('hides the values of env, which may be secrets', () => {
    const text = JSON.stringify(
      problemsOf({ env: { GEMINI_API_KEY: ['my-planted-secret-value'], 'A=B': 'another-secret' } }),
    );
    expect(text).not.toContain('planted');
    expect(text).not.toContain('another-secret');
    expect(text).toContain('env.GEMINI_API_KEY');
  });

  it.each([
    ['a text', 'GEMINI_API_KEY=my-planted-value'],
    ['a list', ['GEMINI_API_KEY=my-planted-value']],
  ])('hides env as a whole if it is %s', (_what, env) => {
    const error = problemsOf({ env });
    expect(JSON.stringify(error)).not.toContain('planted');
    expect(error.message).toContain('env = "(hidden)"');
  });

  it('names the allowed values for a variable of env', () => {
    expect(problemsOf({ env: { PORT: 8080 } }).message).toContain(
      'must map names to a string, or to true',
    );
  });

  const circular: Record<string, unknown> = {};
  circular['self'] = circular;

  it.each([
    ['a bigint', 10n, '10n'],
    ['a number that JSON lacks', Number.NaN, 'NaN'],
    ['an endless number', Number.POSITIVE_INFINITY, 'Infinity'],
    ['a circle', circular, 'Circular'],
    ['a symbol', Symbol('x'), 'Symbol(x)'],
  ])('shows %s as text', (_what, value, shown) => {
    const error = problemsOf({ timeout: value });
    expect(error.code).toBe('INVALID_CONFIG');
    expect(error.message).toContain(shown);
  });

  it('shortens a long value in the message', () => {
    const error = invalidConfig([toProblem(['model'], 'x'.repeat(500), 'is wrong')]);
    expect(error.message.length).toBeLessThan(200);
    expect(error.problems).toEqual([{ key: 'model', value: 'x'.repeat(500), problem: 'is wrong' }]);
  });
});
