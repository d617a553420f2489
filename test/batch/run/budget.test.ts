import { describe, expect, it } from 'vitest';
import type { CostEstimate } from '../../../src/api/cost.js';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import { Budget } from '../../../src/batch/run/budget.js';

const failed = new ProviderError({ code: 'TOOL_FAILED', message: 'no' }).toJSON();

it('a budget without limits never stops the batch', () => {
  const budget = new Budget({}, 0);
  budget.spend({ tokens: 1e12 });
  expect(budget.check(1e15)).toBe(undefined);
  expect(budget.takeRetry()).toBe(true);
  expect(budget.fail('a', failed)).toBe(undefined);
  expect(budget.endsAtMs).toBe(Number.POSITIVE_INFINITY);
});

it('a budget stops the batch at each limit: tokens, time, failures and retries', () => {
  const limits = { maxTotalTokens: 10, maxDuration: 2, maxFailures: 2, maxRetries: 1 };
  const budget = new Budget(limits, 1000);
  expect(budget.check(2999)).toBe(undefined);
  expect(budget.check(3000)?.reason).toBe('maxDuration');
  budget.spend({ tokens: 10 });
  expect(budget.check(1000)?.reason).toBe('maxTotalTokens');
  expect([budget.takeRetry(), budget.takeRetry()]).toEqual([true, false]);
  expect(budget.fail('a', failed)).toBe(undefined);
  expect(budget.fail('b', failed)).toMatchObject({ reason: 'maxFailures', stepId: 'b' });
});

it.each([
  'AUTH',
  'QUOTA_EXHAUSTED',
  'UNTRUSTED_WORKSPACE',
  'CLI_NOT_FOUND',
  'CLI_CONFIG',
  'SANDBOX',
] as const)('a budget stops the batch after %s, with the hint of the error', (code) => {
  const error = new ProviderError({ code, message: 'no more', hint: 'Pay.' }).toJSON();
  const stop = new Budget({}, 0).fail('a', error);
  expect(stop).toEqual({ reason: code, message: 'no more. Pay.', stepId: 'a' });
});

it('a budget with failFast stops the batch after the first failure', () => {
  expect(new Budget({ failFast: true }, 0).fail('a', failed)?.reason).toBe('failFast');
});

it('a budget puts one period between message and hint', () => {
  const message = 'No login is configured.';
  const error = new ProviderError({ code: 'AUTH', message, hint: 'Set a key.' }).toJSON();
  expect(new Budget({}, 0).fail('a', error)?.message).toBe('No login is configured. Set a key.');
});

describe('maxCost of a batch', () => {
  const costOf = (usd: number | undefined, unknownModels: readonly string[] = []): CostEstimate => {
    const isLowerBound = unknownModels.length > 0;
    const byModel = usd === undefined ? {} : { m: usd };
    return { usd, byModel, unknownModels, tableDate: '2026-09-02', isLowerBound };
  };

  it('stops the batch and says that the cost is an estimate by list price', () => {
    const budget = new Budget({ maxCost: 1 }, 0);
    budget.spend({ tokens: 5, cost: costOf(0.6) });
    expect(budget.check(0)).toBeUndefined();
    budget.spend({ tokens: 5, cost: costOf(0.6) });
    const message = 'The batch has cost about $1.20 (list price); maxCost is $1.00';
    expect(budget.check(0)).toEqual({ reason: 'maxCost', message });
  });

  it('stops the batch if the CLI has used a model without a price', () => {
    const budget = new Budget({ maxCost: 1 }, 0);
    budget.spend({ tokens: 5, cost: costOf(undefined, ['mine']) });
    expect(budget.check(0)).toEqual({
      reason: 'maxCost',
      message: 'maxCost cannot be checked: no price of mine. Add it to prices',
    });
  });
});
