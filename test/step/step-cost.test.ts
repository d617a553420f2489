import { describe, expect, it } from 'vitest';
import type { StepOutput, Usage } from '../../src/api/result.js';
import { estimateCost } from '../../src/base/usage/estimate-cost.js';
import { NO_TOKENS } from '../../src/base/usage/token-counts.js';
import { addStepCost, checkMaxCost } from '../../src/step/step-cost.js';

const MILLION = 1_000_000;
const NO_PRICES = { prices: undefined, model: undefined };
const usageOf = (model: string, input: number): Usage => {
  const counts = { ...NO_TOKENS, total: input, input };
  return { ...counts, models: { [model]: counts }, toolCalls: 0 };
};
const outputOf = (usage: Usage | undefined, model?: string): StepOutput => ({
  generationId: 'g',
  text: '',
  files: [],
  deniedTools: [],
  warnings: [],
  usage,
  sessionId: undefined,
  model,
  durationMs: 1,
  transport: 'headless',
  cliVersion: undefined,
  recovered: false,
  repairs: 0,
});

describe('the cost of a step', () => {
  it('is absent without a usage', () => {
    expect(addStepCost(outputOf(undefined), [], NO_PRICES)).not.toHaveProperty('cost');
  });

  it('has the price of large requests that the session file has recorded', () => {
    const output = outputOf(usageOf('gemini-2.5-pro', 300_000));
    const request = { model: 'gemini-2.5-pro', tokens: { input: 300_000 } };
    expect(addStepCost(output, [{ requests: [request] }], NO_PRICES).cost).toMatchObject({
      usd: 0.75,
      isLowerBound: false,
    });
    expect(addStepCost(output, [{ requests: [] }], NO_PRICES).cost).toMatchObject({
      usd: 0.375,
      isLowerBound: true,
    });
  });

  it('gives tokens without a model to the model of the step, then to that of the configuration', () => {
    const usage: Usage = { ...NO_TOKENS, input: MILLION, models: {}, toolCalls: 0 };
    const config = { prices: { mine: { input: 7, output: 0 } }, model: 'mine' };
    expect(addStepCost(outputOf(usage, 'gemini-2.5-flash'), [], config).cost?.usd).toBe(0.3);
    expect(addStepCost(outputOf(usage), [], config).cost?.usd).toBe(7);
  });
});

describe('maxCost of a step', () => {
  const cost = estimateCost(usageOf('gemini-2.5-flash', MILLION));

  it('allows a repair below the limit, and without a limit', () => {
    expect(checkMaxCost(cost, undefined)).toBeUndefined();
    expect(checkMaxCost(undefined, 1)).toBeUndefined();
    expect(checkMaxCost(cost, 0.31)).toBeUndefined();
  });

  it('forbids a repair from the limit on, and says that the price is a list price', () => {
    expect(checkMaxCost(cost, 0.3)).toBe(
      'the step has cost about $0.3000 (list price); maxCost is $0.3000',
    );
  });

  it('fails with INVALID_CONFIG that names prices if a price is not known', () => {
    const unknown = estimateCost(usageOf('mine', 5));
    expect(checkMaxCost(unknown, 1)).toMatchObject({
      code: 'INVALID_CONFIG',
      message: 'maxCost cannot be checked before a repair: no price of mine',
      hint: expect.stringContaining('Add mine to `prices`'),
    });
  });
});
