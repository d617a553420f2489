import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { PlannedStep } from '../../../src/api/batch-plan.js';
import { StepGraph } from '../../../src/batch/plan/step-graph.js';
import { plannedStep } from '../run/pieces.js';

const dag = fc
  .array(fc.array(fc.nat(30), { maxLength: 4 }), { minLength: 1, maxLength: 30 })
  .map((lists) =>
    lists.map((needs, index) => {
      return plannedStep(
        index,
        needs.filter((need) => need < index),
      );
    }),
  );

it('a step graph offers the same steps as a simple model, in the order of the plan', () => {
  fc.assert(
    fc.property(dag, fc.infiniteStream(fc.nat(3)), (steps, luck) => {
      const graph = new StepGraph(steps);
      const state = new Map<string, 'done' | 'failed'>();
      const taken = new Set<string>();
      const nextReady = (): PlannedStep | undefined =>
        steps.find(({ id, needs }) => {
          const isOpen = !state.has(id) && !taken.has(id);
          return isOpen && needs.every((need) => state.get(need) === 'done');
        });
      for (;;) {
        const expected = nextReady();
        expect(graph.hasReady).toBe(expected !== undefined);
        const step = graph.take();
        expect(step?.id).toBe(expected?.id);
        if (step === undefined) break;
        const chance = luck.next().value;
        if (chance === 0) {
          const skipped = graph.fail(step).map(({ id }) => id);
          state.set(step.id, 'failed');
          const doomed = steps.filter(({ id, needs }) => {
            const isDoomed = !state.has(id) && needs.some((need) => state.get(need) === 'failed');
            if (isDoomed) state.set(id, 'failed');
            return isDoomed;
          });
          expect(skipped).toEqual(doomed.map(({ id }) => id));
        } else if (chance === 1) {
          graph.putBack(step);
        } else {
          graph.succeed(step);
          state.set(step.id, 'done');
        }
      }
      expect(state.size).toBe(steps.length);
    }),
    { numRuns: 200 },
  );
});

it('a step graph offers all steps that share a list of needs when the needs are met', () => {
  const needs = ['s0'];
  const steps = [plannedStep(0), ...[1, 2, 3].map((at) => ({ ...plannedStep(at), needs }))];
  const graph = new StepGraph(steps);
  const first = graph.take();
  expect(graph.hasReady).toBe(false);
  if (first !== undefined) graph.succeed(first);
  expect([graph.take(), graph.take(), graph.take()].map((step) => step?.id)).toEqual([
    's1',
    's2',
    's3',
  ]);
});
