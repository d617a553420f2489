import { describe, expect, it } from 'vitest';
import {
  modelsOfAttempt,
  modelsOfBatch,
  modelsOfStep,
  splitTokens,
  tokensOfStep,
} from '../../../../../src/batch/report/page/model/step-tokens.js';
import { anAttempt, aReport, aStep, usageOf } from '../../report-builder.js';

describe('the tokens of a step', () => {
  const attempts = [
    anAttempt(0, 1, { usage: usageOf({ fast: 100 }) }),
    anAttempt(2, 3, { usage: usageOf({ fast: 50, slow: 400 }) }),
  ];

  it('are those of all its attempts', () => {
    const step = aStep('one', { attempts, usage: usageOf({ fast: 50, slow: 400 }) });
    expect(tokensOfStep(step).total).toBe(550);
    expect(modelsOfStep(step).map(({ model, total }) => [model, total])).toEqual([
      ['slow', 400],
      ['fast', 150],
    ]);
  });

  it('are the usage of the step if the attempts have none', () => {
    const step = aStep('one', { attempts: [anAttempt(0, 1)], usage: usageOf({ fast: 70 }) });
    expect(tokensOfStep(step).total).toBe(70);
    expect(modelsOfStep(step).map(({ model }) => model)).toEqual(['fast']);
  });

  it('are zero if neither step nor attempts have a usage', () => {
    expect(tokensOfStep(aStep('one')).total).toBe(0);
    expect(modelsOfStep(aStep('one'))).toEqual([]);
  });
});

describe('the tokens of a batch', () => {
  it('are listed by model, greatest first', () => {
    const report = aReport([aStep('one', { usage: usageOf({ a: 1, b: 300, c: 20 }) })]);
    expect(modelsOfBatch(report).map(({ model }) => model)).toEqual(['b', 'c', 'a']);
  });

  it('are split into parts that do not overlap', () => {
    expect(
      splitTokens({ total: 100, input: 70, cached: 30, thoughts: 0, tool: 0, output: 20 }),
    ).toEqual({
      fresh: 40,
      cached: 30,
      output: 20,
      other: 10,
    });
  });

  it('are never split into negative parts', () => {
    expect(
      splitTokens({ total: 10, input: 20, cached: 30, thoughts: 0, tool: 0, output: 20 }),
    ).toMatchObject({
      fresh: 0,
      other: 0,
    });
  });
});

describe('the models of an attempt', () => {
  const usage = usageOf({ fast: 50, slow: 400 });

  it.each([
    ['those that ran', { usage }, ['fast', 'slow']],
    [
      'those that ran, if the one asked for is among them',
      { usage, model: 'slow' },
      ['fast', 'slow'],
    ],
    ['the one asked for, if no tokens are known', { model: 'slow' }, ['slow']],
    ['all, if another ran', { usage, model: 'pro' }, ['fast', 'slow', 'asked for pro']],
    ['none, if nothing is known', {}, []],
  ])('are %s', (_, more, models) => {
    expect(modelsOfAttempt(anAttempt(0, 1, more))).toEqual(models);
  });
});
