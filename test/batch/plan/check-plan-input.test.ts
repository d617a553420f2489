import { describe, expect, it } from 'vitest';
import { checkPlanInput } from '../../../src/batch/plan/check-plan-input.js';
import { expandPlan } from '../../../src/batch/plan/expand-plan.js';

const step = { id: 'a', prompt: 'x' };
const getter = Object.defineProperty({ ...step }, 'model', {
  enumerable: true,
  get: () => {
    throw new TypeError('trap');
  },
});

describe('a plan from code', () => {
  it('is accepted as a list, as an object, and expanded', async () => {
    for (const plan of [[step], { steps: [step] }, await expandPlan([step])]) {
      expect(() => checkPlanInput(plan)).not.toThrow();
    }
  });

  it.each([
    [null, 'must be a path, an object with steps, or a list of steps'],
    [new Map(), 'must be a path, an object with steps'],
    [[getter], 'The plan cannot be read: trap'],
    [{ steps: new Array(2 ** 32 - 1) }, 'must not have more than 1000000 steps'],
    [[{ ...step, needs: new Array(300_000) }], 'steps[0] = "too large to be shown"'],
    [{ vars: new Array(300_000), steps: [step] }, 'plan = "too large to be shown"'],
    [{ steps: { a: new Array(300_000) } }, 'steps = "too large to be shown"'],
    [{ hash: 5, baseDir: '.', steps: [] }, 'hash = 5'],
  ])('is refused before it is read (%#) (claim: input-validated)', (plan, message) => {
    expect(() => checkPlanInput(plan)).toThrow(
      expect.objectContaining({
        code: 'INVALID_CONFIG',
        message: expect.stringContaining(message),
      }),
    );
  });

  it('with very many problems is refused with the first thousand', async () => {
    const steps = Array.from({ length: 100_000 }, () => ({ ...step, id: '' }));
    const error: unknown = await expandPlan(steps).catch((problem: unknown) => problem);
    expect(error).toMatchObject({ code: 'INVALID_CONFIG', problems: { length: 1000 } });
  });
});
