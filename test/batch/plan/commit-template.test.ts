import { describe, expect, it } from 'vitest';
import type { BatchPlan } from '../../../src/api/batch-plan.js';
import { describePlan } from '../../../src/batch/plan/describe-plan.js';
import { expandPlan } from '../../../src/batch/plan/expand-plan.js';
import { keyOfStep } from '../../../src/batch/run/step-key.js';
import { makeTree } from '../../base/fs/make-tree.js';

const repository = () => makeTree({ '.git/HEAD': '', 'sub/deep/x': '' });
const expand = (plan: BatchPlan, baseDir = repository()) => expandPlan(plan, { baseDir });
const problemsOf = async (plan: BatchPlan, baseDir?: string): Promise<unknown> =>
  expand(plan, baseDir).then(
    () => [],
    (error) =>
      error.problems.map(
        ({ key, problem }: { key: string; problem: string }) => `${key} ${problem}`,
      ),
  );

describe('commit of a plan', () => {
  it('is filled with variables, the id of the step, and a reference to its answer', async () => {
    const { steps } = await expand({
      vars: { kind: 'feat', odd: '{{x' },
      defaults: { commit: true, workingDir: 'sub/deep' },
      steps: [
        { id: 'a', prompt: 'a' },
        { id: 'b', prompt: 'b', commit: false },
        {
          id: 'c',
          prompt: 'c',
          for: { v: ['x', 'y'] },
          commit: '{{kind}} {{ id }} {{v}}: {{text}}',
        },
        { id: 'd', prompt: 'd', commit: '{{odd}} \\{{text}}' },
      ],
    });
    expect(steps.map(({ commit }) => commit)).toEqual([
      true,
      undefined,
      'feat c[x] x: {{steps.self.text}}',
      'feat c[y] y: {{steps.self.text}}',
      '\\{{x \\{{text}}',
    ]);
  });

  it('is part of the hash of the plan and of its description, not of the key of the step', async () => {
    const baseDir = repository();
    const plans = await Promise.all(
      [undefined, true, 'message {{text}}'].map((commit) =>
        expand({ steps: [{ id: 'a', prompt: 'a', commit }] }, baseDir),
      ),
    );
    expect(new Set(plans.map(({ hash }) => hash)).size).toBe(3);
    const keys = plans.flatMap(({ steps }) =>
      steps.map((one) => keyOfStep(one, 'a', { baseDir }, [])),
    );
    expect(new Set(keys).size).toBe(1);
    const shown = plans.map((plan) => describePlan(plan).match(/commit: .*/)?.[0]);
    expect(shown).toEqual([undefined, 'commit: yes', 'commit: message {{steps.self.text}}']);
  });

  it('has problems at its own place, and those of the defaults once', async () => {
    const steps = ['a', 'b'].map((id) => ({ id, prompt: id }));
    expect(await problemsOf({ defaults: { commit: 'x {{txt}}' }, steps })).toEqual([
      'defaults.commit is not a variable in vars or for. Did you mean "text"?',
    ]);
    const own = [
      { id: 'a', prompt: 'a', commit: '{{steps.b.text}}' },
      { id: 'b', prompt: 'b', commit: '{{open' },
      { id: 'c', prompt: 'c', commit: '' },
      { id: 'd', prompt: 'd', commit: 5 as never },
    ];
    expect(await problemsOf({ steps: own })).toEqual([
      'steps[0].commit must not refer to a step: use {{id}}, {{text}} or a variable',
      expect.stringContaining('steps[1].commit is never closed'),
      'steps[2].commit must be a non-empty text',
      'steps[3].commit must be true, false or the message of the commit',
    ]);
  });

  it('is refused where the working directory is in no repository', async () => {
    const baseDir = makeTree();
    const steps = ['a', 'b'].map((id) => ({ id, prompt: id }));
    expect(await problemsOf({ defaults: { commit: true }, steps }, baseDir)).toEqual([
      `defaults.commit needs a git repository, and ${baseDir} is not in one`,
    ]);
    expect(await problemsOf({ defaults: { commit: false }, steps }, baseDir)).toEqual([]);
  });

  it('belongs to steps and defaults, onFinish to the plan', async () => {
    const steps = [{ id: 'a', prompt: 'a', onFinish: 'x' }];
    expect(await problemsOf({ commit: true, steps } as BatchPlan)).toEqual([
      'commit belongs to `defaults` or to a step',
      'steps[0].onFinish belongs to the plan, beside `steps`',
    ]);
  });
});
