import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPlan } from '../../src/batch/plan/read-plan.js';
import { makeTree } from '../base/fs/make-tree.js';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const [, plan = ''] = /```yaml\n# plan\.yaml\n([\s\S]*?)```/.exec(readme) ?? [];

describe('the plan in the README', () => {
  it('is one that can be run', async () => {
    const folder = makeTree({
      'plan.yaml': plan,
      'prompts/convert.md': 'Convert {{file}} with {{steps.types.files}}',
      'src/a.js': '',
      'src/deep/b.js': '',
    });
    const { name, steps } = await readPlan(join(folder, 'plan.yaml'));
    expect(name).toBe('migration');
    expect(steps.map(({ id, isolation }) => `${id} ${isolation}`)).toEqual([
      'types shared',
      'convert[src/a.js] worktree',
      'convert[src/deep/b.js] worktree',
    ]);
  });
});
