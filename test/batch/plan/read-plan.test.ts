import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPlan } from '../../../src/batch/plan/read-plan.js';
import { makeFolder } from '../../fixtures/cli/support.js';
import { errorOf, makePlan, problemsIn, readText, stepOf } from './plans.js';

const YAML = `
name: demo
max_total_tokens: 1000
failFast: true
vars: { who: Ann }
defaults:
  approval_mode: yolo
  retries: 5
steps:
  - id: first
    prompt: Greet {{who}}
  - id: second
    prompt_file: second.md
    needs: [first]
    model: flash
`;
const FILES = { 'second.md': 'Go on with {{ who }}\n' };
const HEAD = {
  name: 'demo',
  max_total_tokens: 1000,
  failFast: true,
  vars: { who: 'Ann' },
  defaults: { approval_mode: 'yolo', retries: 5 },
};
const STEPS = [
  { id: 'first', prompt: 'Greet {{who}}' },
  { id: 'second', prompt_file: 'second.md', needs: ['first'], model: 'flash' },
];
const JSON_TEXT = JSON.stringify({ ...HEAD, steps: STEPS }, null, 2);
const LINES = [HEAD, ...STEPS].map((line) => JSON.stringify(line)).join('\n');

it.each(['plan.json', 'plan.jsonl', 'plan.yaml'])(
  'refuses a text that is no text: %s',
  async (name) => {
    const wrong: object = { text: {} };
    const read = readPlan(name, wrong);
    await expect(read).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('text must be a text'),
    });
  },
);

describe('a plan file', () => {
  it.each([
    ['plan.yaml', YAML],
    ['plan.yml', YAML],
    ['plan.YAML', YAML],
    ['plan.json', JSON_TEXT],
    ['plan.json', `// a comment\n${JSON_TEXT.replace('"steps"', '/* here */ "steps"')}`],
    ['plan.json', JSON_TEXT.replace(/\]\s*\}$/, '], }')],
    ['plan.json', `\ufeff${JSON_TEXT}`],
    ['plan.yaml', `\ufeff${YAML}`],
    ['plan.yaml', JSON_TEXT],
    ['plan.jsonl', LINES],
    ['plan.jsonl', `\ufeff${LINES.replaceAll('\n', '\r\n')}`],
    ['plan.jsonl', LINES.replaceAll('\n', ' // a comment\r\n')],
    ['plan.ndjson', `${LINES.replaceAll('\n', '\r\n\r\n')}\r\n`],
  ])('is read in the format of its name: %s (%#)', async (name, text) => {
    const file = makePlan(text, FILES, name);
    const plan = await readPlan(file);
    const config = { approvalMode: 'yolo', workingDir: dirname(file) };
    const rest = { retries: 5, repair: 0, isolation: 'shared', inputs: [] };
    expect(plan).toEqual({
      name: 'demo',
      file,
      baseDir: dirname(file),
      limits: { maxTotalTokens: 1000, failFast: true },
      steps: [
        { id: 'first', planId: 'first', index: 0, prompt: 'Greet Ann', needs: [], config, ...rest },
        {
          id: 'second',
          planId: 'second',
          index: 1,
          prompt: 'Go on with Ann\n',
          promptFile: join(dirname(file), 'second.md'),
          needs: ['first'],
          config: { ...config, model: 'flash' },
          ...rest,
        },
      ],
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('may be a list of steps, or JSON lines of steps without a head', async () => {
    const lines = STEPS.map((step) =>
      JSON.stringify({ ...step, prompt_file: undefined, prompt: 'x' }),
    );
    expect((await readText(lines.join('\n'), {}, 'steps.jsonl')).steps).toHaveLength(2);
    expect(await readText('[{"id":"a","prompt":"x"}]', {}, 'steps.json')).toMatchObject({
      name: 'steps.json',
      limits: {},
      steps: [{ id: 'a' }],
    });
  });

  it('has paths relative to its folder, or to `baseDir`', async () => {
    const other = makeFolder({ 'second.md': 'other' });
    mkdirSync(join(other, 'sub'));
    const plan = await readPlan(makePlan(`${YAML}    workingDir: sub\n`), { baseDir: other });
    expect(plan.baseDir).toBe(other);
    expect(stepOf(plan, 'second')).toMatchObject({
      prompt: 'other',
      config: { workingDir: join(other, 'sub') },
    });
  });

  it('may use anchors and merge keys', async () => {
    const plan = await readText(`
steps:
  - &one { id: a, prompt: x, model: m }
  - { <<: *one, id: b }
`);
    expect(plan.steps.map(({ id, config }) => [id, config['model']])).toEqual([
      ['a', 'm'],
      ['b', 'm'],
    ]);
  });
});

describe('a plan file that cannot be read', () => {
  it.each([
    ['missing.yaml', 'does not exist'],
    ['folder.yaml', 'is a folder'],
    ['plan.toml', 'must end in .yaml, .yml, .json, .jsonl or .ndjson'],
    ['latin1.yaml', 'is not UTF-8'],
  ])('is reported: %s', async (name, problem) => {
    const folder = makeFolder({ 'plan.toml': 'x', 'latin1.yaml': Buffer.from([0x61, 0xe4]) });
    mkdirSync(join(folder, 'folder.yaml'));
    const file = join(folder, name);
    expect(await errorOf(() => readPlan(file))).toMatchObject({
      code: 'INVALID_CONFIG',
      message: `1 problem in ${file}, the first: plan = ${JSON.stringify(file).slice(0, 80)}${JSON.stringify(file).length > 80 ? '…' : ''}: ${problem}`,
      problems: [{ key: 'plan', value: file, problem, file }],
    });
  });

  it.each([
    ['plan.yaml', ''],
    ['plan.yaml', '# nothing\n'],
    ['plan.json', '  '],
    ['plan.json', 'null'],
    ['plan.jsonl', '\n\n'],
  ])('is reported as empty: %s with %j', async (name, text) => {
    expect(await problemsIn(text, {}, name)).toEqual([
      expect.stringMatching(/^1 plan = .*: is empty$/),
    ]);
  });
});

describe('a syntax error', () => {
  it.each([
    ['plan.yaml', 'steps:\n  - id: a\n   prompt: b\n', 3, 'is not YAML: '],
    ['plan.yaml', 'steps: [\n', 2, 'is not YAML: '],
    ['plan.yaml', 'steps:\n\t- a\n', 2, 'Tabs are not allowed'],
    ['plan.yaml', 'name: !secret x\nsteps: []', 1, 'Unresolved tag: !secret'],
    ['plan.yaml', 'name: a\n---\nname: b\n', 2, 'holds more than one document'],
    [
      'plan.yaml',
      'a: x\nname: *nobody\n',
      2,
      'refers to the anchor "nobody", which does not exist',
    ],
    ['plan.json', '{\n "steps": tru\n}', 2, 'is not JSON: texts need double quotes'],
    ['plan.json', '{\n "steps": [],,\n}', 2, 'is not JSON: '],
    ['plan.json', '// note\n{\n "steps": [\n', 4, 'is not JSON: '],
    ['plan.json', '{"name": "a"} {}', 1, 'is not JSON: '],
    ['plan.jsonl', '{"id":"a","prompt":"x"}\n\n{"id":\n', 3, 'is not JSON: '],
    ['plan.jsonl', '{"id":"a","prompt":"x"}\nhello', 2, 'is not JSON: texts need double quotes'],
    [
      'plan.yaml',
      `a: ${'['.repeat(10_000)}${']'.repeat(10_000)}`,
      1,
      'is nested deeper than 200 levels',
    ],
    [
      'plan.json',
      `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
      1,
      'is nested deeper than 200 levels',
    ],
    [
      'plan.json',
      `{"a":${'['.repeat(300)}${']'.repeat(300)}}`,
      1,
      'is nested deeper than 200 levels',
    ],
  ])('is reported with its line in %s (%#)', async (name, text, line, problem) => {
    const [first] = await problemsIn(text, {}, name);
    expect(first).toMatch(new RegExp(`^${line} `));
    expect(first).toContain(problem);
  });

  it('is reported once for each line that has one', async () => {
    const lines = await problemsIn(
      '{"id": a}\n{"id":"b","prompt":"x"}\n{"id": c, "x": d}',
      {},
      'plan.jsonl',
    );
    expect(lines.map((line) => line.slice(0, 12))).toEqual(['1 steps[0] =', '3 steps[2] =']);
  });

  it('is reported for aliases that expand to a huge document', async () => {
    const row = (name: string, of: string) => `${name}: &${name} [${Array(10).fill(`*${of}`)}]`;
    const text = ['a: &a [x, x]', row('b', 'a'), row('c', 'b'), row('d', 'c')].join('\n');
    expect((await problemsIn(text)).join()).toContain('Excessive alias count');
  });
});

describe('a key that is given twice', () => {
  it.each([
    ['plan.yaml', 'steps:\n  - id: a\n    prompt: x\n    id: b\n', '4 steps[0].id = "b": '],
    ['plan.yaml', 'name: a\nsteps: [{ id: a, prompt: x }]\nname: b\n', '3 name = "b": '],
    ['plan.json', '{"steps": [{"id": "a", "prompt": "x",\n"id": "b"}]}', '2 steps[0].id = "b": '],
    ['plan.jsonl', '{"vars":{}}\n{"id":"a","prompt":"x","id":"b"}', '2 steps[0].id = "b": '],
  ])('is reported with its line in %s', async (name, text, start) => {
    expect(await problemsIn(text, {}, name)).toEqual([`${start}is given more than once`]);
  });

  it('is not reported for texts that look like keys', async () => {
    const text = JSON.stringify([{ id: 'a', prompt: 'say "id": "\\" and {"id" : 1}' }]);
    expect((await readText(text, {}, 'plan.json')).steps).toHaveLength(1);
  });
});

describe('a plan of JSON lines', () => {
  it('has the line numbers of the file, with a head in the first line', async () => {
    const text = '\n{"concurrency":0}\n\n{"id":"a","prompt":"x","retries":-1}\n';
    expect(await problemsIn(text, {}, 'plan.jsonl')).toEqual([
      '2 concurrency = 0: must be a whole number, 1 or more',
      '4 steps[0].retries = -1: must be a whole number, 0 or more',
    ]);
  });

  it('may not have `steps` in its head', async () => {
    const text = '{"steps":[{"id":"b","prompt":"x"}]}\n{"id":"a","prompt":"x"}\n';
    expect(await problemsIn(text, {}, 'plan.jsonl')).toEqual([
      expect.stringContaining('1 steps = '),
    ]);
  });

  it('is checked as a whole although a line is cut off', async () => {
    const lines = [
      '{"id":"a","prompt":"x"}',
      '{"id":"b","prompt":',
      '{"id":"c","needs":"b"}',
      '{"id":"d","prompt":"x',
      '{"id":"e","prompt":"x","needs":["b","nobody"]}',
    ];
    expect(await problemsIn(lines.join('\n'), {}, 'plan.jsonl')).toEqual([
      '2 steps[1] = {"id":"b"}: is not JSON: the text is cut off, "}" is missing',
      '3 steps[2].prompt = null: must be given, or promptFile instead',
      '4 steps[3] = {"id":"d"}: is not JSON: the text is cut off, a quote is not closed',
      '5 steps[4].needs[1] = "nobody": no step has the id "nobody"',
    ]);
  });

  it('has no head if the first line has a key of a step', async () => {
    expect(await problemsIn('{"prompt":"x"}', {}, 'plan.jsonl')).toEqual([
      '1 steps[0].id = null: must be given',
    ]);
  });
});
