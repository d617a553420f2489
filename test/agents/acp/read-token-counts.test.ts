import { describe, expect, it } from 'vitest';
import { createGenericProfile } from '../../../src/agents/acp/generic-profile.js';

const { readUpdateUsage, readUsage } = createGenericProfile('Agent');
const COUNTS = { total: 18, input: 11, output: 7, cached: 4, thoughts: 0, tool: 0 };

describe('the tokens of a turn', () => {
  it('are read from `_meta` of an update', () => {
    const usage = { inputTokens: 11, outputTokens: 7, cachedReadTokens: 4 };
    expect(readUpdateUsage({ _meta: { usage } })).toEqual(COUNTS);
    expect(readUpdateUsage({ _meta: { house: { usage } } })).toEqual(COUNTS);
    expect(readUpdateUsage({ _meta: { usage: { cost: 1 } } })).toBeUndefined();
    expect(readUpdateUsage({ usage })).toBeUndefined();
  });

  it('are read from the answer if it has them', () => {
    const response = {
      usage: { inputTokens: 1, outputTokens: 2, thoughtTokens: 2, totalTokens: 5 },
    };
    expect(readUsage(response, 3, COUNTS)).toEqual({
      total: 5,
      input: 1,
      output: 2,
      cached: 0,
      thoughts: 2,
      tool: 0,
      models: {},
      toolCalls: 3,
    });
    expect(readUsage({}, 0, COUNTS)).toMatchObject(COUNTS);
    expect(readUsage({}, 0, undefined)).toBeUndefined();
  });
});
