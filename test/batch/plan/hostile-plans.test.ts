import { describe, expect, it } from 'vitest';
import { deepPlans, problemsIn, readText } from './plans.js';

/** integration/hostile-inputs.stress.test.ts goes ten times as deep. */
const DEEP = 20_000;

/** Rows of ten aliases each: nine rows stand for a billion texts. */
function billionLaughs(rows: number): string {
  const names = Array.from({ length: rows }, (_, index) => `l${index}`);
  const lines = names.map((name, index) => {
    const inside = index === 0 ? 'lol' : `*l${index - 1}`;
    return `${name}: &${name} [${Array(10).fill(inside).join(', ')}]`;
  });
  return `${lines.join('\n')}\nsteps: *l${rows - 1}\n`;
}

describe('a hostile plan is refused with a reason (claim: plan-bounded)', () => {
  it.each<readonly [string, string, string, string]>([
    ['with aliases for a billion texts', 'plan.yaml', billionLaughs(9), 'Excessive alias count'],
    ['with an alias in a circle', 'plan.yaml', 'steps: &a [*a]\n', 'steps'],
    ['with a merge key in a circle', 'plan.yaml', 'a: &a\n  <<: *a\nsteps: [*a]\n', ''],
    ['with a tag of code', 'plan.yaml', 'steps: !!js/function "f"\n', 'Unresolved tag'],
    ['with a tag of an object', 'plan.yaml', 'steps: !!python/object:x {}\n', 'Unresolved tag'],
    ...deepPlans(DEEP).map(([name, text]) => ['with many levels', name, text, ''] as const),
    ['with a key twice', 'plan.yaml', 'steps: []\nsteps: []\n', 'is given more than once'],
  ])('%s: %s', async (_what, name, text, problem) => {
    const problems = await problemsIn(text, {}, name);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.join('\n')).toContain(problem);
  });

  it('with a matrix of a billion steps, before the steps are created', async () => {
    const values = JSON.stringify(Array.from({ length: 1000 }, (_, index) => index));
    const text = `{"steps":[{"id":"a","prompt":"{{x}}{{y}}{{z}}","for":{"x":${values},"y":${values},"z":${values}}}]}`;
    const [problem] = await problemsIn(text, {}, 'plan.json');
    expect(problem).toContain('makes too many steps: a plan may have at most 100000');
  });

  it.each([
    ['plan.json', '{"__proto__":{"polluted":1},"steps":[{"id":"a","prompt":"x"}]}'],
    ['plan.json', '{"steps":[{"id":"a","prompt":"x","__proto__":{"polluted":1}}]}'],
    ['plan.yaml', 'constructor: { prototype: { polluted: 1 } }\nsteps: [{ id: a, prompt: x }]\n'],
    ['plan.yaml', 'vars: { __proto__: { polluted: 1 } }\nsteps: [{ id: a, prompt: x }]\n'],
  ])('and changes no prototype: %s %s', async (name, text) => {
    await readText(text, {}, name).catch(() => {});
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(Reflect.get([], 'polluted')).toBeUndefined();
  });

  it('but a prompt of five megabytes is read', async () => {
    const prompt = 'long '.repeat(1024 * 1024);
    const plan = await readText('steps: [{ id: a, promptFile: p.md }]\n', { 'p.md': prompt });
    expect(plan.steps[0]?.prompt).toBe(prompt);
  });
});
