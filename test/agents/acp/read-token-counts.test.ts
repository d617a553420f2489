import { describe, expect, it } from 'vitest';
import { createGenericProfile } from '../../../src/agents/acp/generic-profile.js';

const { readUpdateUsage, readUsage } = createGenericProfile('Agent');
const TOLD = { total: 18, input: 11, output: 7, cached: 4 };

describe('the tokens of a turn', () => {
  it('are told on the way, in the notes of an update', () => {
    const usage = { inputTokens: 11, outputTokens: 7, cachedReadTokens: 4 };
    expect(readUpdateUsage({ _meta: { usage } })).toEqual(TOLD);
    expect(readUpdateUsage({ _meta: { house: { usage } } })).toEqual(TOLD);
    expect(readUpdateUsage({ _meta: { usage: { cost: 1 } } })).toBeUndefined();
    expect(readUpdateUsage({ usage })).toBeUndefined();
  });

  it('are those of the answer, where it tells them', () => {
    const response = { usage: { inputTokens: 1, outputTokens: 2, totalTokens: 5 } };
    expect(readUsage(response, 3, TOLD)).toEqual({
      total: 5,
      input: 1,
      output: 2,
      cached: 0,
      models: {},
      toolCalls: 3,
    });
    expect(readUsage({}, 0, TOLD)).toMatchObject(TOLD);
    expect(readUsage({}, 0, undefined)).toBeUndefined();
  });
});
