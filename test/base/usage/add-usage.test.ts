import { describe, expect, it } from 'vitest';
import { addUsage, NO_USAGE, sumUsage } from '../../../src/base/usage/add-usage.js';

const FLASH = { total: 3, input: 2, output: 1, cached: 0, thoughts: 0, tool: 0 };
const PRO = { total: 30, input: 20, output: 10, cached: 5, thoughts: 0, tool: 0 };

describe('usage', () => {
  it('is summed in total, by model and in tool calls', () => {
    const first = { ...FLASH, models: { flash: FLASH }, toolCalls: 1 };
    const second = {
      ...{ total: 33, input: 22, output: 11, cached: 5, thoughts: 0, tool: 0 },
      models: { flash: FLASH, pro: PRO },
      toolCalls: 2,
    };
    expect(sumUsage([undefined, first, second])).toEqual({
      ...{ total: 36, input: 24, output: 12, cached: 5, thoughts: 0, tool: 0 },
      models: {
        flash: { total: 6, input: 4, output: 2, cached: 0, thoughts: 0, tool: 0 },
        pro: PRO,
      },
      toolCalls: 3,
    });
  });

  it('is unknown if all of its parts are unknown', () => {
    expect(sumUsage([undefined, undefined])).toBeUndefined();
    expect(addUsage(NO_USAGE, undefined)).toEqual(NO_USAGE);
  });
});
