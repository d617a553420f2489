import { describe, expect, it } from 'vitest';
import { expandPlan } from '../../../src/batch/plan/expand-plan.js';
import { createRandom, errorOf, problemsIn, readText, stepOf } from './plans.js';

describe('needs', () => {
  it('may name a matrix, which means all of its steps, or one of its steps', async () => {
    const plan = await readText(`
steps:
  - { id: all, prompt: x, needs: [m, "m[b]", m] }
  - { id: one, prompt: x, needs: ["m[b]"] }
  - { id: m, prompt: "{{x}}", for: { x: [a, b] }, needs: [first] }
  - { id: first, prompt: x }
`);
    expect(stepOf(plan, 'all').needs).toEqual(['m[a]', 'm[b]']);
    expect(stepOf(plan, 'one').needs).toEqual(['m[b]']);
    expect(stepOf(plan, 'm[a]').needs).toEqual(['first']);
  });

  it('include the steps that the prompt refers to', async () => {
    const plan = await readText(
      `
steps:
  - { id: a, prompt: x }
  - { id: b, prompt: "{{steps.a.text}}" }
  - { id: c, promptFile: c.md, needs: [a] }
  - { id: m, for: { x: [1, 2] }, prompt: "\\\\{{steps.nobody.text}}" }
`,
      { 'c.md': '{{steps.b.files}} {{steps.m.text}} {{steps.a.text}}' },
    );
    expect(stepOf(plan, 'b').needs).toEqual(['a']);
    expect(stepOf(plan, 'c').needs).toEqual(['a', 'b', 'm[1]', 'm[2]']);
  });

  it('are one shared list if many steps need the same matrix', async () => {
    const values = Array.from({ length: 50 }, (_, index) => index);
    const { steps } = await expandPlan([
      { id: 'a', prompt: 'x', for: { v: values } },
      { id: 'b', prompt: 'x', for: { v: values }, needs: ['a'] },
      { id: 'c', prompt: 'x', needs: ['a'] },
      { id: 'd', prompt: 'x', for: { v: values }, needs: ['a', 'c'] },
    ]);
    const lists = (id: string) =>
      steps.filter(({ planId }) => planId === id).map(({ needs }) => needs);
    expect(new Set([...lists('b'), ...lists('c')]).size).toBe(1);
    expect(new Set(lists('d')).size).toBe(1);
    expect(lists('d')[0]).toHaveLength(51);
  });

  it.each([
    [
      'needs: [convrt]',
      'steps[1].needs[0] = "convrt": no step has the id "convrt". Did you mean "convert"?',
    ],
    ['needs: [zzz]', 'steps[1].needs[0] = "zzz": no step has the id "zzz"'],
    ['needs: ["convert[a]"]', 'steps[1].needs[0] = "convert[a]": no step has the id'],
    ['needs: [b]', 'steps[1].needs[0] = "b": refers to the step itself'],
    ['promptFile: self.md', 'steps[1].promptFile = "{{steps.b.text}}": refers to the step itself'],
    [
      'promptFile: none.md',
      '= "{{steps.convrt.files}}": no step has the id "convrt". Did you mean',
    ],
    [
      'promptFile: data.md',
      '= "{{steps.convert.data.x}}": step "convert" has no data without expects.json',
    ],
    ['id: convert', 'steps[1].id = "convert": is already the id of steps[0]'],
  ])('are refused: %s', async (keys, problem) => {
    const text = `
steps:
  - { id: convert, prompt: x }
  -
    ${keys}
    ${keys.startsWith('id') ? '' : 'id: b'}
    ${keys.startsWith('promptFile') ? '' : 'prompt: x'}
`;
    const files = {
      'self.md': '{{steps.b.text}}',
      'none.md': '{{steps.convrt.files}}',
      'data.md': '{{steps.convert.data.x}}',
    };
    expect(await problemsIn(text, files)).toEqual([expect.stringContaining(`5 `)]);
    expect((await problemsIn(text, files))[0]).toContain(problem);
  });

  it('are refused if a matrix needs one of its own steps', async () => {
    const problems = await problemsIn(`
steps:
  - { id: m, prompt: x, for: { v: [a] }, needs: ["m[a]"] }
`);
    expect(problems).toEqual(['3 steps[0].needs[0] = "m[a]": refers to the step itself']);
  });
});

describe('a dependency cycle', () => {
  it('is reported with all its steps and the line of the first', async () => {
    const problems = await problemsIn(`
steps:
  - { id: free, prompt: x }
  - { id: a, prompt: x, needs: [free, c] }
  - { id: b, prompt: "{{steps.a.text}}" }
  - { id: c, prompt: x, needs: [b] }
  - { id: after, prompt: x, needs: [a] }
  - { id: x, prompt: "{{steps.y.text}}", for: { v: [1, 2] } }
  - { id: y, prompt: x, needs: ["x[1]"] }
`);
    expect(problems).toEqual([
      '4 steps[1].needs = ["free","c"]: is a dependency cycle: a -> c -> b -> a',
      '8 steps[5].prompt = "x": is a dependency cycle: x -> y -> x',
    ]);
  });

  it('is found in random plans with a random cycle', async () => {
    const random = createRandom(11);
    for (let round = 0; round < 30; round++) {
      const count = 3 + random(17);
      const needs = Array.from({ length: count }, (_, index) =>
        index === 0 ? [] : Array.from({ length: random(3) }, () => random(index)),
      );
      // Adds a cycle: from the last step to the first, and back.
      const cycle = [count - 1, ...new Set([1 + random(count - 2), 0])];
      for (const [index, from] of cycle.entries()) {
        needs[from]?.push(cycle[(index + 1) % cycle.length] ?? 0);
      }
      const steps = needs.map((list, index) => ({
        id: `s${index}`,
        prompt: 'x',
        needs: list.map((need) => `s${need}`),
      }));
      const { problems = [] } = await errorOf(() => expandPlan(steps));
      expect(problems.length).toBeGreaterThan(0);
      for (const { problem } of problems) {
        const ids = problem.replace('is a dependency cycle: ', '').split(' -> ');
        expect(ids.length).toBeGreaterThan(2);
        expect(ids.at(0)).toBe(ids.at(-1));
        for (const [index, id] of ids.slice(0, -1).entries()) {
          expect(steps.find((step) => step.id === id)?.needs).toContain(ids[index + 1]);
        }
      }
    }
  });

  it('is found among thousands of steps, and its text is shortened', async () => {
    const steps = Array.from({ length: 5000 }, (_, index) => ({
      id: `s${index}`,
      prompt: 'x',
      needs: [`s${(index + 1) % 5000}`],
    }));
    const { problems = [] } = await errorOf(() => expandPlan(steps));
    expect(problems).toHaveLength(1);
    expect(problems[0]?.value).toEqual(['s1']);
    expect(problems[0]?.problem).toMatch(/^is a dependency cycle: s0 -> s1 .* -> … -> s0$/);
    expect(problems[0]?.problem.length).toBeLessThan(400);
  });
});
