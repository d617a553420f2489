import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MergeOrder } from '../../../src/batch/run/merge-order.js';
import { plannedStep } from './pieces.js';

it('the merge order lets isolated steps merge in the order of the plan, and never blocks forever', async () => {
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
    fc.asyncProperty(settings, async ([kinds, ends, wins]) => {
      const steps = kinds.map((kind, at) => plannedStep(at, [], kind));
      const order = new MergeOrder(steps);
      const merged: number[] = [];
      const all = ends.map(async (at) => {
        const step = steps[at];
        if (step === undefined) return;
        if (wins[at] === true) {
          await order.wait(step);
          if (step.isolation !== 'shared') merged.push(at);
        }
        order.pass(step);
      });
      await Promise.all(all);
      expect(merged).toEqual(merged.toSorted((a, b) => a - b));
    }),
  );
});

it('the merge order waits until the previous step is merged, not only until that step may merge', async () => {
  const [first, second] = [plannedStep(0, [], 'copy'), plannedStep(1, [], 'copy')];
  const order = new MergeOrder([first, second]);
  const seen: string[] = [];
  const waiting = order.wait(second).then(() => seen.push('second'));
  await order.wait(first);
  await Promise.resolve();
  seen.push('first');
  order.pass(first);
  order.pass(first);
  await waiting;
  expect(seen).toEqual(['first', 'second']);
});

it('the merge order delays a step behind sixteen waiting steps, but not a step before them', () => {
  const steps = Array.from({ length: 19 }, (_, at) =>
    plannedStep(at, [], at === 2 ? 'shared' : 'copy'),
  );
  const order = new MergeOrder(steps);
  const tooEarly = () => steps.filter((step) => order.isTooEarly(step)).map(({ index }) => index);
  for (const step of steps.slice(3, 18)) void order.wait(step);
  expect(tooEarly()).toEqual([]);
  for (const step of steps.slice(18)) void order.wait(step);
  expect(tooEarly()).toEqual(steps.slice(4).map(({ index }) => index));
});

it('with the order of finishing, no step waits for another one', async () => {
  const steps = Array.from({ length: 40 }, (_, at) => plannedStep(at, [], 'worktree'));
  const order = new MergeOrder(steps, 'finish');
  for (const step of steps.toReversed()) {
    expect([order.findBlocking(step), order.isTooEarly(step)]).toEqual([undefined, false]);
    await order.wait(step);
  }
});

it('with the order of the plan, a step names the first one that is not merged', () => {
  const [first, second] = [plannedStep(0, [], 'copy'), plannedStep(1, [], 'copy')];
  const order = new MergeOrder([first, second], 'plan');
  expect([order.findBlocking(first), order.findBlocking(second)]).toEqual([undefined, 's0']);
  order.pass(first);
  expect(order.findBlocking(second)).toBeUndefined();
});
