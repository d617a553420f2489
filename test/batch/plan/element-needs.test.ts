import { describe, expect, it } from 'vitest';
import { expandPlan } from '../../../src/batch/plan/expand-plan.js';
import { orderSteps } from '../../../src/batch/plan/order-steps.js';
import { problemsIn, readText, stepOf } from './plans.js';

const FILES = { 'src/a.js': '', 'src/b.js': '' };

describe('a need of one element', () => {
  it.each([
    'needs: ["convert[{{file}}]"]',
    'needs: [{ each: convert }]',
    'needs: { each: convert }',
  ])('is the element with the same values: %s', async (needs) => {
    const plan = await readText(
      `
steps:
  - { id: test, prompt: "{{steps.convert.text}}", for: { file: "src/*.js" }, ${needs} }
  - { id: convert, prompt: x, for: { file: "src/*.js" } }
`,
      FILES,
    );
    expect(stepOf(plan, 'test[src/b.js]')).toMatchObject({
      needs: ['convert[src/b.js]'],
      elements: { convert: 'convert[src/b.js]' },
    });
    expect(orderSteps(plan.steps).map(({ id }) => id)).toEqual([
      'convert[src/a.js]',
      'test[src/a.js]',
      'convert[src/b.js]',
      'test[src/b.js]',
    ]);
  });

  it('compares the keys that both matrices have, and may stand beside other needs', async () => {
    const plan = await readText(`
steps:
  - { id: one, prompt: x }
  - { id: a, prompt: x, for: { n: [1, 2] } }
  - { id: b, prompt: x, for: { lang: [de, en], n: ["1", 2] }, needs: [one, { each: a }] }
  - { id: c, prompt: x, vars: { k: 2 }, needs: "a[{{k}}]" }
  - { id: d, prompt: x, for: { which: [one, a] }, needs: "{{which}}" }
  - { id: e, prompt: "{{steps.a.text}}", for: { n: [1] }, needs: [a, { each: a }] }
`);
    expect(stepOf(plan, 'b[en,1]').needs).toEqual(['one', 'a[1]']);
    expect(stepOf(plan, 'b[de,2]').needs).toEqual(['one', 'a[2]']);
    expect(stepOf(plan, 'c').needs).toEqual(['a[2]']);
    expect(stepOf(plan, 'd[one]').needs).toEqual(['one']);
    expect(stepOf(plan, 'd[a]').needs).toEqual(['a[1]', 'a[2]']);
    // A step that needs the whole matrix means the whole matrix in its prompt, too.
    expect(stepOf(plan, 'e[1]').elements).toBeUndefined();
  });

  it.each([
    ['{ each: convrt }', 'no step has the id "convrt". Did you mean "convert"?'],
    ['{ each: m }', 'refers to the step itself'],
    ['{ each: one }', 'step "one" has no for: write "one" alone'],
    [
      '{ each: other }',
      'in common with "other": this step has file, "other" has files. Did you mean "files"?',
    ],
    [
      '{ each: less }',
      'no step of "less" has file = "main.js", nor for 1 more of its steps. Did you mean "man.js"?',
    ],
    [
      '{ each: more }',
      'matches several steps of "more": more[main.js,1], more[main.js,2]. Add n to for',
    ],
    ['"convert[{{fil}}]"', '{{fil}}": is not a variable in vars or for. Did you mean "file"?'],
    ['"convert[{{file}}"', 'no step has the id "convert[main.js" (and 1 more ids)'],
    ['"m[{{file}}]"', 'refers to the step itself'],
    ['"{{steps.convert.text}}"', 'must not refer to a result'],
    ['"less[{{file}}]"', 'no step has the id "less[main.js]"'],
  ])('is refused: %s', async (need, problem) => {
    const problems = await problemsIn(`
steps:
  - { id: one, prompt: x }
  - { id: convert, prompt: x, for: { file: [main.js, b.js] } }
  - { id: other, prompt: x, for: { files: [a] } }
  - { id: less, prompt: x, for: { file: [man.js] } }
  - { id: more, prompt: x, for: { file: [main.js, b.js], n: [1, 2] } }
  - id: m
    prompt: x
    for: { file: [main.js, b.js] }
    needs:
      - ${need}
`);
    expect(problems).toEqual([expect.stringContaining(problem)]);
    expect(problems[0]).toMatch(/^12 steps\[5\]\.needs\[0\] = /);
  });

  it('is refused in a step without for, and ambiguous in a prompt with two elements', async () => {
    const problems = await problemsIn(`
steps:
  - { id: m, prompt: x, for: { a: [1, 2] } }
  - { id: s, prompt: x, needs: { each: m } }
  - { id: t, prompt: "{{steps.m.text}}", vars: { a: 1, b: 2 }, needs: ["m[{{a}}]", "m[{{b}}]"] }
`);
    expect(problems).toEqual([
      '4 steps[1].needs[0] = {"each":"m"}: needs a step with for',
      '5 steps[2].prompt = "{{steps.m.text}}": could mean several elements of "m" in needs',
    ]);
  });

  it('takes memory for each element once, in matrices of thousands', async () => {
    const v = Array.from({ length: 10_000 }, (_, index) => index);
    const { steps } = await expandPlan([
      { id: 'a', prompt: 'x', for: { v } },
      { id: 'b', prompt: 'x', for: { v }, needs: [{ each: 'a' }] },
      { id: 'c', prompt: 'x', for: { v }, needs: ['b[{{v}}]'] },
    ]);
    expect(steps.reduce((sum, { needs }) => sum + needs.length, 0)).toBe(20_000);
    expect(steps.at(-1)?.needs).toEqual(['b[9999]']);
  });

  it('is refused beside a whole matrix if that makes millions of dependencies', async () => {
    const v = Array.from({ length: 3_000 }, (_, index) => index);
    const plan = expandPlan([
      { id: 'a', prompt: 'x', for: { v } },
      { id: 'b', prompt: 'x', for: { v } },
      { id: 'c', prompt: 'x', for: { v }, needs: ['b', { each: 'a' }] },
    ]);
    await expect(plan).rejects.toThrow(/make too many dependencies/);
  });
});
