import { expect, it } from 'vitest';
import { defaultPlanId } from '../../../../src/batch/report/packed/default-plan-id.js';

it.each([
  ['convert', 'convert'],
  ['convert[src/a.ts]', 'convert'],
  ['convert[src/[a].ts]', 'convert'],
  ['convert[open', 'convert[open'],
  ['end]', 'end]'],
])('%s is usually planned as %s', (id, planId) => {
  expect(defaultPlanId(id)).toBe(planId);
});
