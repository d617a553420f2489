import { expect, it } from 'vitest';
import { expandPlan } from '../../../src/batch/plan/expand-plan.js';
import { hideVariables } from '../../../src/cli/batch/batch-dry-run.js';

it('a printed plan hides the values of env and shows everything else', async () => {
  const plan = await expandPlan({
    defaults: { env: { GEMINI_API_KEY: 'secret' }, model: 'm' },
    steps: [
      { id: 'a', prompt: 'x' },
      { id: 'b', prompt: 'y', env: { OTHER: 'secret' } },
    ],
  });
  const shown = hideVariables(plan);
  expect(JSON.stringify(shown)).not.toContain('secret');
  expect(shown.steps[0]?.config).toMatchObject({ env: { GEMINI_API_KEY: '(hidden)' }, model: 'm' });
  expect(hideVariables({ ...plan, steps: [] })).toEqual({ ...plan, steps: [] });
});
