import { describe, expect, it } from 'vitest';
import { fillStepReferences } from '../../../src/batch/plan/fill-step-references.js';
import { errorOf } from './plans.js';

const DATA = { list: ['x', { deep: null }], n: 1, 'odd-key_1': 'é', text: { '0': 'zero' } };

function fill(prompt: string): string {
  return fillStepReferences(prompt, (id) => ({
    text: `text of ${id}`,
    files: ['a.md', 'b c.md'],
    data: DATA,
  }));
}

describe('references to steps', () => {
  it.each([
    ['{{steps.a.text}}!', 'text of a!'],
    ['{{ steps.a.text }}', 'text of a'],
    ['{{steps.a/b.c_d-1.text}}', 'text of a/b.c_d-1'],
    ['{{steps.data.text}}{{steps.text.a.text}}', 'text of datatext of text.a'],
    ['{{steps.a[src/x y.data.ts].text}}', 'text of a[src/x y.data.ts]'],
    ['{{steps.a[b,c].data.n}}', '1'],
    ['{{steps.a.files}}', 'a.md\nb c.md'],
    ['{{steps.a.data}}', JSON.stringify(DATA)],
    ['{{steps.a.data.n}} {{steps.a.data.list.0}}', '1 x'],
    ['{{steps.a.data.list}}', '["x",{"deep":null}]'],
    ['{{steps.a.data.list.1.deep}}', 'null'],
    ['{{steps.a.data.odd-key_1}}', 'é'],
    ['{{steps.a.data.text.0}}', 'zero'],
    ['\\{{steps.a.text}} {', '{{steps.a.text}} {'],
    ['{{variable}} {{odd one}} {{open', '{{variable}} {{odd one}} {{open'],
  ])('%j becomes %j', (prompt, text) => {
    expect(fill(prompt)).toBe(text);
  });

  it('are not filled inside of inserted text', () => {
    const answers = { text: '{{steps.b.text}} \\{{', files: ['{{steps.b.text}}'], data: '{{x}}' };
    const sent = fillStepReferences(
      '{{steps.a.text}} {{steps.a.files}} {{steps.a.data}}',
      () => answers,
    );
    expect(sent).toBe('{{steps.b.text}} \\{{ {{steps.b.text}} "{{x}}"');
  });

  it.each([
    ['{{steps.a.data.nothing}}'],
    ['{{steps.a.data.list.7}}'],
    ['{{steps.a.data.n.0}}'],
    ['{{steps.a.data.constructor}}'],
    ['{{steps.a.data.list.map}}'],
  ])('fail if the data lacks %s', async (prompt) => {
    expect(await errorOf(() => fill(prompt))).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(prompt),
      hint: expect.stringContaining('step a'),
    });
  });

  it('fail if the step has no data', async () => {
    const act = () => fillStepReferences('{{steps.a.data}}', () => ({ text: '', files: [] }));
    expect(await errorOf(act)).toMatchObject({ code: 'INVALID_INPUT' });
  });
});
