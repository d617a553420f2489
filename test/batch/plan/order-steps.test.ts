import { describe, expect, it } from 'vitest';
import type { PlannedStep } from '../../../src/api/batch-plan.js';
import { expandPlan } from '../../../src/batch/plan/expand-plan.js';
import { orderSteps } from '../../../src/batch/plan/order-steps.js';
import { createRandom, errorOf } from './plans.js';

async function order(needs: Readonly<Record<string, readonly string[]>>): Promise<string[]> {
  const steps = Object.entries(needs).map(([id, list]) => ({ id, prompt: 'x', needs: list }));
  return orderSteps((await expandPlan(steps)).steps).map(({ id }) => id);
}

describe('the order of steps', () => {
  it('is the order of the plan if no step needs another', async () => {
    expect(await order({ c: [], a: [], b: [] })).toEqual(['c', 'a', 'b']);
  });

  it('moves only steps that come before the steps they need', async () => {
    expect(await order({ a: ['d'], b: [], c: ['a'], d: [], e: [] })).toEqual([
      'b',
      'd',
      'a',
      'c',
      'e',
    ]);
  });

  it('respects the needs of random plans and otherwise keeps the order of the plan', async () => {
    const random = createRandom(3);
    for (let round = 0; round < 40; round++) {
      const count = 1 + random(60);
      const rank = Array.from({ length: count }, (_, index) => index);
      for (const index of rank.keys()) {
        const other = random(count);
        [rank[index], rank[other]] = [rank[other] ?? 0, rank[index] ?? 0];
      }
      const needs = rank.map((own) =>
        rank.flatMap((other, index) => (other < own && random(8) === 0 ? [`s${index}`] : [])),
      );
      const ids = await order(Object.fromEntries(needs.map((list, index) => [`s${index}`, list])));
      expect([...ids].sort()).toEqual(needs.map((_, index) => `s${index}`).sort());
      const done = new Set<string>();
      for (const id of ids) {
        const isReady = (index: number) => needs[index]?.every((need) => done.has(need));
        const next = needs.findIndex((_, index) => !done.has(`s${index}`) && isReady(index));
        expect(id).toBe(`s${next}`);
        done.add(id);
      }
    }
  });

  it('treats needs that are not among the steps as met', async () => {
    const { steps } = await expandPlan([
      { id: 'a', prompt: 'x' },
      { id: 'b', prompt: 'x', needs: ['c', 'a'] },
      { id: 'c', prompt: 'x', needs: ['a'] },
    ]);
    expect(orderSteps(steps.slice(1)).map(({ id }) => id)).toEqual(['c', 'b']);
  });

  it('fails if steps need each other', async () => {
    const { steps } = await expandPlan([
      { id: 'a', prompt: 'x' },
      { id: 'b', prompt: 'x', needs: ['a'] },
      { id: 'c', prompt: 'x' },
    ]);
    const cycle = steps.map(
      (step): PlannedStep => (step.id === 'a' ? { ...step, needs: ['b'] } : step),
    );
    expect(await errorOf(() => orderSteps(cycle))).toMatchObject({
      code: 'INVALID_CONFIG',
      message: '2 steps need each other, among them a',
    });
  });
});
