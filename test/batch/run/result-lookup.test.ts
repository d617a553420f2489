import { expect, it } from 'vitest';
import { fillStepReferences } from '../../../src/batch/plan/fill-step-references.js';
import { createResultLookup } from '../../../src/batch/run/result-lookup.js';
import { readText } from '../plan/plans.js';

it('a reference to a matrix gives the answers of all its steps', async () => {
  const { steps } = await readText(`
steps:
  - { id: m, for: { x: [a, b] }, prompt: "{{x}}", expects: { json: {} } }
  - id: end
    prompt: "{{steps.m.text}}|{{steps.m.files}}|{{steps.m.data}}|{{steps.m.data.1.x}}|{{steps.m[a].text}}"
`);
  const lookup = createResultLookup(steps, (id) => ({
    text: `text of ${id}`,
    files: ['shared.md', `${id}.md`],
    data: id === 'm[b]' ? { x: 'y' } : undefined,
  }));
  expect(fillStepReferences(steps[2]?.prompt ?? '', lookup)).toBe(
    [
      'text of m[a]\n\ntext of m[b]',
      'shared.md\nm[a].md\nm[b].md',
      '[null,{"x":"y"}]',
      'y',
      'text of m[a]',
    ].join('|'),
  );
  expect(lookup('end').text).toBe('text of end');
});
