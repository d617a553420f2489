import { describe, expect, it } from 'vitest';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import { AttemptPolicy } from '../../../src/batch/run/attempt-policy.js';
import { Budget } from '../../../src/batch/run/budget.js';
import { plannedStep } from './pieces.js';

const failed = (code: 'NETWORK' | 'RATE_LIMITED' | 'MODEL_NOT_FOUND' | 'EXPECTATION_FAILED') => {
  return new ProviderError({ code, message: 'x' });
};
const step = { ...plannedStep(0), retries: 1, fallbackModels: ['second', 'third'] };

describe('the next attempt of a failed step', () => {
  it('has each fallback model after the retries of the model before', () => {
    const policy = new AttemptPolicy(new Budget({}, 0));
    const models: (string | undefined)[] = [];
    for (;;) {
      models.push(policy.modelOf(step));
      if (policy.next(step, failed('RATE_LIMITED')) === undefined) break;
    }
    expect(models).toEqual([undefined, undefined, 'second', 'second', 'third', 'third']);
  });

  it('has another model at once after an error that the same model would repeat', () => {
    const policy = new AttemptPolicy(new Budget({}, 0));
    expect(policy.next(step, failed('MODEL_NOT_FOUND'))).toEqual({ delayMs: 0, model: 'second' });
  });

  it.each(['EXPECTATION_FAILED', 'NETWORK'] as const)('has no other model after %s', (code) => {
    const policy = new AttemptPolicy(new Budget({}, 0));
    const nexts = [policy.next(step, failed(code)), policy.next(step, failed(code))];
    expect(nexts.at(-1)).toBeUndefined();
    expect(policy.modelOf(step)).toBeUndefined();
  });

  it('is not taken from a budget of retries that is used up, but may have another model', () => {
    const policy = new AttemptPolicy(new Budget({ maxRetries: 0 }, 0));
    expect(policy.next(step, failed('RATE_LIMITED'))).toMatchObject({ model: 'second' });
    expect(policy.next({ ...step, id: 'b' }, failed('NETWORK'))).toBeUndefined();
  });

  it('has the retries again that failed attempts had used up before an outage was noticed', () => {
    const policy = new AttemptPolicy(new Budget({ maxRetries: 1 }, 0));
    const network = failed('NETWORK');
    const plain = { ...step, fallbackModels: [] };
    expect(policy.next(plain, network)).toBeDefined();
    policy.giveBack(plain.id, 5);
    policy.giveBack('unknown', 1);
    expect(policy.next(plain, network)).toBeDefined();
    expect(policy.next(plain, network)).toBeUndefined();
  });
});
