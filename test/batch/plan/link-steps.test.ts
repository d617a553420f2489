import { describe, expect, it } from 'vitest';
import { expandPlan } from '../../../src/batch/plan/expand-plan.js';
import { createRandom, errorOf, problemsIn, readText, stepOf } from './plans.js';

describe('needs', () => {
  it('on a matrix mean all of its steps, and may name one of them', async () => {
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

  it('of many steps on one matrix are one list', async () => {
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
    ['needs: [b]', 'steps[1].needs[0] = "b": is the step itself'],
    ['promptFile: self.md', 'steps[1].promptFile = "{{steps.b.text}}": is the step itself'],
    [
      'promptFile: none.md',
      '= "{{steps.convrt.files}}": no step has the id "convrt". Did you mean',
    ],
    [
      'promptFile: data.md',
      '= "{{steps.convert.data}}": step "convert" has no data without expects.json',
    ],
    ['id: convert', 'steps[1].id = "convert": is the id of steps[0] already'],
  ])('%s are a problem', async (keys, problem) => {
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

  it('of a matrix on itself are a problem, also for one of its steps', async () => {
    const problems = await problemsIn(`
steps:
  - { id: m, prompt: x, for: { v: [a] }, needs: ["m[a]"] }
`);
    expect(problems).toEqual(['3 steps[0].needs[0] = "m[a]": is the step itself']);
  });
});

describe('a circle', () => {
  it('is named as a whole, with the line of its first step', async () => {
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
      '4 steps[1].needs = ["a","c","b","a"]: goes round in a circle: a needs c needs b needs a',
      '8 steps[5].prompt = ["x","y","x"]: goes round in a circle: x needs y needs x',
    ]);
  });

  it('is found wherever a random one is added to a random plan', async () => {
    const random = createRandom(11);
    for (let round = 0; round < 30; round++) {
      const count = 3 + random(40);
      const needs = Array.from({ length: count }, (_, index) =>
        index === 0 ? [] : Array.from({ length: random(3) }, () => random(index)),
      );
      // A way from the last to the first, and back.
      const way = [count - 1, ...new Set([1 + random(count - 2), 0])];
      for (const [index, from] of way.entries()) {
        needs[from]?.push(way[(index + 1) % way.length] ?? 0);
      }
      const steps = needs.map((list, index) => ({
        id: `s${index}`,
        prompt: 'x',
        needs: list.map((need) => `s${need}`),
      }));
      const { problems = [] } = await errorOf(() => expandPlan(steps));
      expect(problems.length).toBeGreaterThan(0);
      for (const { value } of problems) {
        const circle: string[] = Array.isArray(value) ? value : [];
        expect(circle.length).toBeGreaterThan(2);
        expect(circle.at(0)).toBe(circle.at(-1));
        for (const [index, id] of circle.slice(0, -1).entries()) {
          expect(steps.find((step) => step.id === id)?.needs).toContain(circle[index + 1]);
        }
      }
    }
  });

  it('of thousands of steps is found, and its text is cut', async () => {
    const steps = Array.from({ length: 5000 }, (_, index) => ({
      id: `s${index}`,
      prompt: 'x',
      needs: [`s${(index + 1) % 5000}`],
    }));
    const { problems = [] } = await errorOf(() => expandPlan(steps));
    expect(problems).toHaveLength(1);
    expect(problems[0]?.value).toHaveLength(5001);
    expect(problems[0]?.problem).toMatch(
      /^goes round in a circle: s0 needs s1 .* needs … needs s0$/,
    );
    expect(problems[0]?.problem.length).toBeLessThan(400);
  });
});
