import { describe, expect, it } from 'vitest';
import { packUsage, unpackUsage } from '../../../../src/batch/report/packed/pack-usage.js';

const flash = { total: 12, input: 7, output: 3, cached: 2, thoughts: 0, tool: 0 };
const pro = { total: 5, input: 4, output: 1, cached: 0, thoughts: 0, tool: 0 };

describe('packUsage', () => {
  it.each([
    [
      'no model',
      { total: 0, input: 0, output: 0, cached: 0, thoughts: 0, tool: 0, models: {}, toolCalls: 3 },
    ],
    ['one model', { ...flash, models: { flash }, toolCalls: 0 }],
    [
      'two models',
      {
        total: 17,
        input: 11,
        output: 4,
        cached: 2,
        thoughts: 0,
        tool: 0,
        models: { flash, pro },
        toolCalls: 1,
      },
    ],
    ['counts that are not the sum of the models', { ...pro, models: { flash }, toolCalls: 1 }],
  ])('keeps a usage with %s', (_, usage) => {
    expect(unpackUsage(JSON.parse(JSON.stringify(packUsage(usage))))).toEqual(usage);
  });

  it('names each count once', () => {
    expect(packUsage({ ...flash, models: { flash }, toolCalls: 4 })).toEqual([
      4,
      ['flash', 12, 7, 3, 2],
    ]);
  });

  it('keeps an unknown usage unknown', () => {
    expect(unpackUsage(packUsage(undefined))).toBeUndefined();
  });
});
