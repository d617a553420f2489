import { describe, expect, it } from 'vitest';
import type { CostEstimate } from '../../../src/api/cost.js';
import {
  describeCost,
  describeCostShortly,
  formatUsd,
} from '../../../src/base/usage/describe-cost.js';

const costOf = (more: Partial<CostEstimate>): CostEstimate => {
  return { usd: 0.5, byModel: {}, unknownModels: [], tableDate: '', isLowerBound: false, ...more };
};

describe('the words of a cost', () => {
  it.each([
    [0, '$0.00'],
    [0.00001, '< $0.0001'],
    [0.01234, '$0.0123'],
    [12.345, '$12.35'],
  ])('show %d as %s', (usd, text) => {
    expect(formatUsd(usd)).toBe(text);
  });

  it('say that it is a list price, a lower bound, or unknown', () => {
    expect(describeCost(costOf({}))).toBe('about $0.5000 (list price)');
    expect(describeCost(costOf({ isLowerBound: true }))).toBe('at least $0.5000 (list price)');
    const unknown = costOf({ usd: undefined, unknownModels: ['mine'], isLowerBound: true });
    expect(describeCost(unknown)).toBe('cost unknown (no price of mine)');
    expect(describeCostShortly(unknown)).toBe('$?');
    expect(describeCostShortly(costOf({ isLowerBound: true }))).toBe('≥ $0.5000');
    expect(describeCostShortly(costOf({}))).toBe('$0.5000');
  });
});
