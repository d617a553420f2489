import { expect, it } from 'vitest';
import { variablesOf } from '../../../src/remote/session/given-variables.js';

it('takes the variables of a configuration that have a value of their own', () => {
  expect(variablesOf({})).toEqual({});
  const env = { GEMINI_API_KEY: 'x', EMPTY: '', INHERITED: true } as const;
  expect(variablesOf({ env })).toEqual({ GEMINI_API_KEY: 'x', EMPTY: '' });
});
