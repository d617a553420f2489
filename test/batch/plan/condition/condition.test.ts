import { describe, expect, it } from 'vitest';
import { evaluateCondition } from '../../../../src/batch/plan/condition/evaluate-condition.js';
import { parseCondition } from '../../../../src/batch/plan/condition/parse-condition.js';
import type { StepReference } from '../../../../src/batch/plan/step-reference.js';
import { problemsIn, readText, stepOf } from '../plans.js';

const DATA = { ok: true, count: 3, name: 'x', list: ['a', 1], nested: { a: [{ b: 'c' }] } };

function isTrue(text: string): boolean {
  return evaluateCondition(parseCondition(text).condition, ({ field, path }: StepReference) => {
    if (field === 'state') return 'failed';
    if (field === 'error') return '';
    if (field === 'text') return 'All tests passed';
    if (field === 'files') return ['src/a.ts'];
    return path.reduce<unknown>((value, key) => Object(value)[key], DATA);
  });
}

describe('a condition', () => {
  it.each([
    ['true', true],
    ['not true', false],
    ['steps.a.data.ok', true],
    ['steps.a.data.ok == true', true],
    ['{{steps.a.data.ok}} == true', true],
    ['steps.a.data.ok == "true"', true],
    ['steps.a.data.ok != true', false],
    ['steps.a.data.count == 3', true],
    ["steps.a.data.count == '3'", true],
    ['steps.a.data.count > 2 and steps.a.data.count<=3', true],
    ['steps.a.data.count >= 4 or steps.a.data.count < -1.5', false],
    ['steps.a.data.name < 3', false],
    ['steps.a.data.none == null', true],
    ['steps.a.data.none', false],
    ["steps.a.data.none != 'x'", true],
    ["steps.a.data.list contains 'a'", true],
    ['steps.a.data.list contains 1', true],
    ["steps.a.data.list contains 'b'", false],
    ['steps.a.data.count contains 3', false],
    ["steps.a.data.nested.a.0.b == 'c'", true],
    ['steps.a.data.nested == steps.b.data.nested', true],
    ['steps.a.data.nested == 1', false],
    ["steps.a.text contains 'passed'", true],
    ["steps.a.files contains 'src/a.ts'", true],
    ["steps.m[a]b].state == 'failed'", undefined],
    ["{{steps.m[a]b].state}} == 'failed'", true],
    ["steps.m[src/a.ts].state == 'failed'", true],
    ['steps.a.error', false],
    ["'it\\'s' == \"it's\"", true],
    ['"a\\nb" == "a\nb"', true],
    // `and` binds closer than `or`, `not` closer than both.
    ['true or false and false', true],
    ['(true or false) and false', false],
    ['not false and true', true],
    ['not (false or true)', false],
    ['not not true', true],
  ])('%s is %s', (text, expected) => {
    if (expected === undefined) expect(() => isTrue(text)).toThrow();
    else expect(isTrue(text)).toBe(expected);
  });

  it.each([
    ['', 'expected a variable, steps.ID.field'],
    ['a ==', 'found the end (character 5)'],
    ['a = 1', '"=" is unknown here: write "==" (character 3)'],
    ['a === 1', '"===" is unknown here: write "==" (character 3)'],
    ['a && b', '"&&" is unknown here: write "and" (character 3)'],
    ['!a', '"!" is unknown here: write "not" (character 1)'],
    ['a b', 'expected "and", "or" or the end, found "b" (character 3)'],
    ['(a', 'expected ")", found the end (character 3)'],
    ["a == 'x", 'has a quote that is not closed (character 6)'],
    ['a == "\\q"', 'is not a valid text (character 6)'],
    ['{{a == 1', 'has {{ that is never closed'],
    ['a # b', '"#" is unexpected (character 3)'],
    ['steps.x.txt', 'must be a variable, or steps.ID with the field text, files, data, state'],
    ['steps.x.stat == 1', 'must be a variable, or steps.ID'],
    ['langage == 1', 'is not a variable in vars or for (character 1). Did you mean "language"?'],
    ['a == de', 'is not a variable in vars or for (character 6); a text needs quotes'],
    ["'{{a}}' == 1", 'in quotes is not filled in (character 1): remove the quotes'],
    ["steps.x.state == 'succeded'", 'is not a state of a step that is over. Did you mean'],
    ["not ('done' == steps.x.state)", 'use succeeded, failed, skipped'],
    ['steps.y.text', 'no step has the id "y"'],
    ['steps.x.data.ok', 'step "x" has no data without expects.json'],
    ['steps.s.text', 'refers to the step itself'],
    [`${'('.repeat(200)}a`, 'is nested deeper than 100 levels'],
  ])('%j is refused', async (when, problem) => {
    const plan = {
      vars: { a: 1, language: 'de' },
      steps: [
        { id: 'x', prompt: 'x' },
        { id: 's', prompt: 'x', when: when || ' ' },
      ],
    };
    const problems = await problemsIn(JSON.stringify(plan, null, 1), {}, 'plan.json');
    expect(problems).toEqual([expect.stringContaining(problem)]);
    expect(problems[0]).toMatch(/^14 steps\[1\]\.when = /);
  });

  it('has the values of the variables, for each element of a matrix', async () => {
    const plan = await readText(`
vars: { odd: "{{x}} \\" '" }
steps:
  - { id: check, prompt: x, expects: { json: { type: object } } }
  - { id: m, prompt: x, for: { lang: [de, en] }, when: "lang == 'de' and {{odd}} != steps.check.text" }
  - { id: off, prompt: x, when: false }
`);
    expect(stepOf(plan, 'm[de]').when).toBe(
      '"de" == \'de\' and "{{x}} \\" \'" != steps.check.text',
    );
    expect(stepOf(plan, 'm[en]').when).toMatch(/^"en" == /);
    expect(stepOf(plan, 'm[en]').needs).toEqual(['check']);
    expect(stepOf(plan, 'm[en]').tolerates).toBeUndefined();
    expect(stepOf(plan, 'off').when).toBe('false');
  });

  it('on the state of a step tolerates that the step fails', async () => {
    const plan = await readText(`
steps:
  - { id: a, prompt: x }
  - { id: b, prompt: x, needs: a, when: "steps.a.state == 'failed'" }
`);
    expect(stepOf(plan, 'b')).toMatchObject({ needs: ['a'], tolerates: ['a'] });
  });
});
