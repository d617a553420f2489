import { describe, expect, it } from 'vitest';
import { fillStepReferences } from '../../../src/batch/plan/fill-step-references.js';
import { fillVariables, parseTemplate } from '../../../src/batch/plan/template.js';
import { createRandom, problemsIn, readText } from './plans.js';

const VALUES = new Map([
  ['name', 'Ann'],
  ['a-b_1', 'x'],
  ['braces', '{{name}} \\{{ {{steps.s.text}}'],
  ['slash', '\\'],
  ['brace', '{'],
]);

/** Fills a template in both phases: variables when the plan is read, references when the step starts. */
function fill(template: string): string {
  const planned = fillVariables(parseTemplate(template), (name) => VALUES.get(name) ?? '');
  return fillStepReferences(planned, (id) => ({ text: `<${id}>`, files: [] }));
}

describe('a template', () => {
  it.each([
    ['no braces { or } }} here', 'no braces { or } }} here'],
    ['{{name}}', 'Ann'],
    ['a {{ name }}, {{\tname\n}}{{name}}!', 'a Ann, AnnAnn!'],
    ['{{a-b_1}}', 'x'],
    ['\\{{name}}', '{{name}}'],
    ['\\\\{{name}}', '\\Ann'],
    ['\\\\\\{{name}}', '\\{{name}}'],
    ['C:\\dir \\n \\', 'C:\\dir \\n \\'],
    ['{{{name}}}', '{Ann}'],
    ['\\{{{{name}}', '{{Ann'],
    ['{"a":{{name}}}', '{"a":Ann}'],
    ['{{steps.s.text}}', '<s>'],
    ['\\{{steps.s.text}}', '{{steps.s.text}}'],
    ['{{braces}}', '{{name}} \\{{ {{steps.s.text}}'],
    ['{{slash}}{{steps.s.text}}', '\\<s>'],
    ['{{slash}}{{brace}}{{steps.s.text}}', '\\{<s>'],
    ['{{brace}}{steps.s.text}}', '{{steps.s.text}}'],
    ['{{brace}}{{brace}}{{steps.s.text}}', '{{<s>'],
  ])('%j becomes %j', (template, text) => {
    expect(fill(template)).toBe(text);
  });

  it('inserts values with any characters unchanged', () => {
    const random = createRandom(7);
    const pieces = ['\\', '{', '{{', '}', '}}', 'a', '{{name}}', '{{steps.s.text}}', '\\{{'];
    for (let round = 0; round < 2000; round++) {
      let template = '';
      let expected = '';
      const values = new Map<string, string>();
      for (let count = random(7); count >= 0; count--) {
        if (random(3) === 0) {
          template += '{{steps.s.text}}';
          expected += '<s>';
        } else {
          const value = Array.from({ length: random(4) }, () => pieces[random(pieces.length)]).join(
            '',
          );
          values.set(`v${count}`, value);
          template += `{{v${count}}}`;
          expected += value;
        }
      }
      const planned = fillVariables(parseTemplate(template), (name) => values.get(name) ?? '');
      const sent = fillStepReferences(planned, () => ({ text: '<s>', files: [] }));
      expect([template, sent]).toEqual([template, expected]);
    }
  });

  it('is filled in linear time', () => {
    const text = `${'\\'.repeat(200_000)}${'{'.repeat(200_001)}${' '.repeat(200_000)}`;
    const filled = fillVariables([{ kind: 'text', text }], () => '');
    expect(fillStepReferences(filled, () => ({ text: '', files: [] }))).toBe(text);
  });
});

describe('a placeholder that cannot be filled', () => {
  it.each([
    ['{{nam}}', '{{nam}}', 'is not a variable in vars or for. Did you mean "name"?'],
    ['{{other}}', '{{other}}', 'is not a variable in vars or for; write \\{{ for literal braces'],
    ['{{}}', '{{}}', 'must be {{variable}}, or {{steps.ID.field}} with the field text, files, '],
    ['{{ a b }}', '{{ a b }}', 'must be {{variable}}, '],
    ['{{name.first}}', '{{name.first}}', 'must be {{variable}}, '],
    ['{{steps.a}}', '{{steps.a}}', 'must be {{variable}}, '],
    ['{{steps.a.txt}}', '{{steps.a.txt}}', 'must be {{variable}}, '],
    ['{{steps.a.text.x}}', '{{steps.a.text.x}}', 'must be {{variable}}, '],
    ['see {{name', '{{name', 'is never closed with }}'],
  ])('is reported: %j', async (prompt, value, problem) => {
    const text = JSON.stringify({ vars: { name: 'x' }, steps: [{ id: 'a', prompt }] });
    expect(await problemsIn(text, {}, 'plan.json')).toEqual([
      expect.stringContaining(`1 steps[0].prompt = ${JSON.stringify(value)}: ${problem}`),
    ]);
  });

  it('is reported in a prompt file, once for each name', async () => {
    const files = { 'p.md': '{{x}} {{x}} {{y}}' };
    expect(await problemsIn('steps:\n  - id: a\n    promptFile: p.md', files)).toEqual([
      expect.stringContaining('3 steps[0].promptFile = "{{x}}": is not a variable'),
      expect.stringContaining('3 steps[0].promptFile = "{{y}}": is not a variable'),
    ]);
  });

  it('is reported if the filled prompt is empty', async () => {
    const text = 'vars: { v: "" }\nsteps:\n  - { id: a, prompt: "{{v}} " }';
    expect(await problemsIn(text)).toEqual([
      '3 steps[0].prompt = "a": is empty after the variables are filled in',
    ]);
  });

  it('is reported in a key that is not a prompt', async () => {
    const problems = await problemsIn(`
steps:
  - id: a
    for: { file: [x] }
    prompt: "{{file}}"
    inputs: ["{{file}}.md"]
    expects:
      files: [{ glob: "{{ file }}.md" }]
      contains: "{{other}}"
`);
    expect(problems).toEqual([
      '6 steps[0].inputs[0] = "{{file}}.md": contains a variable, but variables are filled in prompts only',
      expect.stringContaining('8 steps[0].expects.files[0].glob = '),
    ]);
  });
});

it('variables may be texts, numbers, true and false, and have names of built-in properties', async () => {
  const plan = await readText(`
vars: { n: 1.50, t: true, f: false, s: "", toString: own, steps: 7 }
steps:
  - { id: a, prompt: "{{n}} {{t}} {{f}} {{s}}. {{toString}} {{steps}}" }
`);
  expect(plan.steps[0]?.prompt).toBe('1.5 true false . own 7');
  expect(await problemsIn('steps: [{ id: a, prompt: "{{constructor}}" }]')).toHaveLength(1);
});
