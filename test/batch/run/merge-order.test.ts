import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MergeOrder } from '../../../src/batch/run/merge-order.js';
import { plannedStep } from './pieces.js';

it('lets isolated steps through in the order of the plan, and never stops for good', async () => {
  const isolation = fc.constantFrom('shared', 'worktree', 'copy');
  const settings = fc.array(isolation, { minLength: 1, maxLength: 12 }).chain((kinds) =>
    fc.tuple(
      fc.constant(kinds),
      fc.shuffledSubarray(
        kinds.map((_, at) => at),
        { minLength: kinds.length },
      ),
      fc.array(fc.boolean(), { minLength: kinds.length, maxLength: kinds.length }),
    ),
  );
  await fc.assert(
    fc.asyncProperty(settings, async ([kinds, order, wins]) => {
      const steps = kinds.map((kind, at) => plannedStep(at, [], kind));
      const turn = new MergeOrder(steps);
      const merged: number[] = [];
      const all = order.map(async (at) => {
        const step = steps[at];
        if (step === undefined) return;
        if (wins[at] === true) {
          await turn.wait(step);
          if (step.isolation !== 'shared') merged.push(at);
        }
        turn.pass(step);
      });
      await Promise.all(all);
      expect(merged).toEqual(merged.toSorted((a, b) => a - b));
    }),
  );
});

it('waits until the one before is merged, not only until it has its turn', async () => {
  const [first, second] = [plannedStep(0, [], 'copy'), plannedStep(1, [], 'copy')];
  const turn = new MergeOrder([first, second]);
  const seen: string[] = [];
  const waiting = turn.wait(second).then(() => seen.push('second'));
  await turn.wait(first);
  await Promise.resolve();
  seen.push('first');
  turn.pass(first);
  turn.pass(first);
  await waiting;
  expect(seen).toEqual(['first', 'second']);
});

it('is too early for one more behind sixteen that wait, and never for one before them', () => {
  const steps = Array.from({ length: 19 }, (_, at) =>
    plannedStep(at, [], at === 2 ? 'shared' : 'copy'),
  );
  const turn = new MergeOrder(steps);
  const tooEarly = () => steps.filter((step) => turn.isTooEarly(step)).map(({ index }) => index);
  for (const step of steps.slice(3, 18)) void turn.wait(step);
  expect(tooEarly()).toEqual([]);
  for (const step of steps.slice(18)) void turn.wait(step);
  expect(tooEarly()).toEqual(steps.slice(4).map(({ index }) => index));
});
