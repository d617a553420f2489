import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readPlan } from '../../src/batch/plan/read-plan.js';
import { makeTree } from '../base/fs/make-tree.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const pages = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('README.md'))
  .map((path) => readFileSync(join(root, 'src', path), 'utf8'));
const texts = [...pages, readFileSync(join(root, 'README.md'), 'utf8')];
const plans = texts.flatMap((text) =>
  [...text.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, plan]) => `${plan}`),
);

describe('the plan in the documentation', () => {
  it('is the first YAML block; all blocks are plans', () => {
    expect(plans.map((plan) => plan.split('\n', 1)[0])).toEqual([
      '# plan.yaml',
      '# elements.yaml',
      '# conditions.yaml',
      '# commits.yaml',
    ]);
  });

  it.each(plans.slice(1))('can be read: %s', async (plan) => {
    const files = { 'src/a.js': '', 'src/b.js': '', '.git/HEAD': '' };
    const folder = makeTree({ 'plan.yaml': plan, ...files });
    const { steps } = await readPlan(join(folder, 'plan.yaml'));
    expect(steps.length).toBeGreaterThan(2);
  });

  it('can be read and expanded', async () => {
    const folder = makeTree({
      'plan.yaml': plans[0] ?? '',
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
