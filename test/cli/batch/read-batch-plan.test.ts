import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { defaultOut, readBatchPlan } from '../../../src/cli/batch/read-batch-plan.js';
import { failureOf, makeFolder } from '../../fixtures/cli/support.js';

const fromStdin = (text: string) => {
  return readBatchPlan('-', {}, () => {}, new PassThrough().end(text));
};
const STEP = '{"id":"a","prompt":"one"}';

describe('the plan of batch -', () => {
  it.each([
    ['YAML', 'steps:\n  - { id: a, prompt: one }\n', 'stdin.yaml'],
    ['JSON', `{\n  "steps": [${STEP}]\n}`, 'stdin.yaml'],
    ['JSON on one line', `{"steps":[${STEP}]}`, 'stdin.jsonl'],
    ['JSON lines', `\n${STEP}\n\n`, 'stdin.jsonl'],
  ])('is %s from stdin, with paths relative to the current folder', async (_form, text, name) => {
    const plan = await fromStdin(text);
    expect(plan).toMatchObject({ name, baseDir: process.cwd() });
    expect(plan.steps.map(({ id }) => id)).toEqual(['a']);
    // There is no file to watch or to name in a report.
    expect(plan).not.toHaveProperty('file');
  });

  it('may have several JSON lines', async () => {
    const plan = await fromStdin(`${STEP}\n{"id":"b","prompt":"two","needs":["a"]}\n`);
    expect(plan.steps.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it.each([
    ['steps:\n  - { id: a, promt: one }\n', 'stdin.yaml', 2],
    [`${STEP}\n{"id":"b","promt":"two"}\n`, 'stdin.jsonl', 2],
    ['', 'stdin.yaml', 1],
  ])('is refused with the line of its problem: %j', async (text, file, line) => {
    expect(await failureOf(() => fromStdin(text))).toMatchObject({
      code: 'INVALID_CONFIG',
      problems: expect.arrayContaining([expect.objectContaining({ file, line })]),
    });
  });

  it('is a file under any other name', async () => {
    const file = join(makeFolder({ 'plan.jsonl': STEP }), 'plan.jsonl');
    expect(await readBatchPlan(file, {}, () => {})).toMatchObject({ file, name: 'plan.jsonl' });
  });
});

it('the folder for the results has the name of the plan', () => {
  expect([defaultOut('plans/all.yaml'), defaultOut('-')]).toEqual(['all.batch', 'stdin.batch']);
});
