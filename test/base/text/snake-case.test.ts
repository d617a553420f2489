import { describe, expect, it } from 'vitest';
import { toSnakeCase } from '../../../src/base/text/snake-case.js';

describe('the snake_case spelling of a key', () => {
  it.each([
    ['workingDir', 'working_dir'],
    ['maxTotalTokens', 'max_total_tokens'],
    ['model', 'model'],
  ])('of %s is %s', (key, spelling) => {
    expect(toSnakeCase(key)).toBe(spelling);
  });
});
