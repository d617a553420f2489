import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { PlanProblem } from '../../../src/api/plan-problem.js';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import { readPlan } from '../../../src/batch/plan/read-plan.js';
import { PLAIN } from '../../../src/cli/output/output.js';
import { describePlanProblems } from '../../../src/cli/output/plan-problems.js';
import { describeFailure } from '../../../src/cli/output/progress.js';
import { makeTree } from '../../base/fs/make-tree.js';

function problemIn(line: number): PlanProblem {
  return { key: 'k', value: 'v', problem: 'p', file: join(process.cwd(), 'plan.yaml'), line };
}

it('describeFailure lists every problem of a plan with file and line', async () => {
  const folder = makeTree({
    'plan.yaml': 'steps:\n  - id: a\n    prompt: p\n    needs: [zz]\n  - id: a\n    prompt: p\n',
  });
  const error = await readPlan(join(folder, 'plan.yaml')).catch((thrown: unknown) => thrown);
  if (!ProviderError.isInstance(error)) throw error;
  const lines = describeFailure(error.toJSON(), PLAIN).split('\n');
  expect(lines.slice(0, 2)).toEqual([
    expect.stringMatching(/plan\.yaml:4 steps\[0\]\.needs\[0\] = "zz": no step has the id "zz"$/),
    expect.stringMatching(/plan\.yaml:5 steps\[1\]\.id = "a": /),
  ]);
  expect(lines[2]).toMatch(/^INVALID_CONFIG 2 problems in /);
});

it('describePlanProblems lists the first 50 problems and counts the rest', () => {
  const many = Array.from({ length: 60 }, (_, index) => problemIn(index + 1));
  const lines = describePlanProblems(many, PLAIN);
  expect(lines).toHaveLength(51);
  expect([lines[0], lines[50]]).toEqual(['plan.yaml:1 k = "v": p', 'and 10 more']);
});

it('describePlanProblems skips problems without a file', () => {
  expect(describePlanProblems([{ key: 'k', value: 1, problem: 'p' }], PLAIN)).toEqual([]);
});
