import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { BatchPlan } from '../../../src/api/batch-plan.js';
import { expandPlan } from '../../../src/batch/plan/expand-plan.js';
import { readPlan } from '../../../src/batch/plan/read-plan.js';
import { makeFolder, makePipe } from '../../fixtures/cli/support.js';
import { errorOf, makePlan, problemsIn, readText, stepOf } from './plans.js';

/** Returns the text of a plan with one step that has these keys. The keys begin in line 3. */
const step = (keys: string) => `steps:\n  - id: a\n${keys.replaceAll(/^/gm, '    ')}\n`;
const inStep = (keys: string, files = {}) => problemsIn(step(keys), files);

describe('problems of the plan itself', () => {
  it.each([
    ['just text', '1 plan = "just text": must be an object with steps'],
    ['name: x', '1 steps = null: must be a list of at least one step'],
    ['steps: []', '1 steps = "an empty list": must be a list of at least one step'],
    ['steps: { a: x }', '1 steps = "an object with a": must be a list of at least one step'],
    ['steps:\n  - run', '2 steps[0] = "run": must be an object with an id'],
    ['steps:\n  - {}', '2 steps[0].id = null: must be given'],
    ['steps:\n  - {}', '2 steps[0].prompt = null: must be given, or promptFile instead'],
    ['x: 1\ndefaults: [1]', '2 defaults = "a list of 1 item": must be an object'],
    ['\nconcurency: 2', '2 concurency = 2: is an unknown key. Did you mean "concurrency"?'],
    ['\nwhatever: { a: 1 }', '2 whatever = "an object with a": is an unknown key'],
    ['\nmodel: flash', '2 model = "flash": belongs to `defaults` or to a step'],
    ['\nprompt: x', '2 prompt = "x": belongs to a step'],
    ['concurrency: 1.5', '1 concurrency = 1.5: must be a whole number, 1 or more'],
    ['maxTotalTokens: -1', '1 maxTotalTokens = -1: must be a whole number, 1 or more'],
    ['\nmax_total_tokens: many', '2 maxTotalTokens = "many": must be a whole number, 1 or more'],
    ['max_duration: 0', '1 maxDuration = 0: must be a number of seconds above 0'],
    ['max_failures: 0', '1 maxFailures = 0: must be a whole number, 1 or more'],
    ['maxRetries: -1', '1 maxRetries = -1: must be a whole number, 0 or more'],
    ['failFast: sometimes', '1 failFast = "sometimes": must be true or false'],
    ['max_retries: 1\nmaxRetries: 1', 'maxRetries = 1: is given in both spellings'],
    ['name: ""', '1 name = "": must be a non-empty text'],
    ['vars:\n  a: 1\n  b: [x]', '3 vars.b = ["x"]: must be a text, a number, true or false'],
    ['vars:\n  a b: 1', '2 vars.a b = 1: is not a valid variable name'],
    ['vars: x', '1 vars = "x": must be an object of names and values'],
    ['defaults:\n  retries: -1', '2 defaults.retries = -1: must be a whole number, 0 or more'],
    ['defaults:\n  repair: x', '2 defaults.repair = "x": must be a whole number, 0 or more'],
    ['defaults:\n  isolation: vm', '2 defaults.isolation = "vm": must be "shared", "worktree"'],
    ['defaults:\n  inputs: 5', '2 defaults.inputs = 5: must be a glob, or a list of globs'],
    ['defaults:\n  needs: [a]', '2 defaults.needs = "a list of 1 item": belongs to a step'],
    ['defaults:\n  concurrency: 2', '2 defaults.concurrency = 2: belongs to the plan'],
    ['defaults:\n  session_id: x', '2 defaults.sessionId = "x": belongs to a step'],
    ['defaults:\n  resume: latest', '2 defaults.resume = "latest": belongs to a step'],
    ['defaults:\n  pool: {}', '2 defaults.pool = "an empty object": cannot be set in a file'],
    ['defaults:\n  logger: x', '2 defaults.logger = "x": cannot be set in a file'],
    ['defaults:\n  modle: x', '2 defaults.modle = "x": is an unknown key. Did you mean "model"?'],
    ['defaults:\n  timeout: -1', '2 defaults.timeout = -1: must be a number of seconds above 0'],
    [
      'defaults:\n  expects:\n    jsn: {}',
      '3 defaults.expects.jsn = "an empty object": is an unknown key. Did',
    ],
  ])('are reported for %j', async (text, problem) => {
    expect(await problemsIn(text)).toContainEqual(expect.stringContaining(problem));
  });
});

describe('problems of a step', () => {
  it.each([
    ['promt: x', '3 steps[0].promt = "x": is an unknown key. Did you mean "prompt"?'],
    ['prompt: 3', '3 steps[0].prompt = 3: must be a non-empty text'],
    ['prompt: " "', '3 steps[0].prompt = " ": must be a non-empty text'],
    ['prompt: {{x}}', 'a text that begins with {{ needs quotes'],
    ['prompt: "a\\0b"', '3 steps[0].prompt = "\\u0000": has a NUL character'],
    ['prompt: x\npromptFile: y', '4 steps[0].promptFile = "y": cannot be combined with prompt'],
    ['promptFile: ""', '3 steps[0].promptFile = "": must be a non-empty text'],
    ['prompt_file: no.md', '3 steps[0].promptFile = "no.md": does not exist'],
    ['promptFile: .', '3 steps[0].promptFile = ".": is a folder'],
    ['promptFile: empty.md', '3 steps[0].promptFile = "empty.md": is empty'],
    ['promptFile: latin1.md', '3 steps[0].promptFile = "latin1.md": is not UTF-8'],
    ['promptFile: nul.md', '3 steps[0].promptFile = "\\u0000": has a NUL character'],
    ['promptFile: /proc/self/mem', 'steps[0].promptFile = "/proc/self/mem": cannot be read'],
    ['prompt: x\nneeds: 5', '4 steps[0].needs = 5: must be an id, { each: ID }, or a list'],
    ['prompt: x\nneeds: b', '4 steps[0].needs[0] = "b": no step has the id "b"'],
    ['prompt: x\nneeds: [1]', '4 steps[0].needs[0] = 1: must be an id, or { each: ID }'],
    ['prompt: x\nneeds: [{ every: a }]', 'needs[0] = {"every":"a"}: must be an id, or { each'],
    ['prompt: x\ndepends_on: [b]', 'is an unknown key: use "needs"'],
    ['prompt: x\nmatrix: { v: [b] }', 'is an unknown key: use "for"'],
    ['prompt: x\nif: b', 'is an unknown key: use "when"'],
    ['prompt: x\ncontinue-on-error: true', 'is an unknown key: use "continueOnError"'],
    ['prompt: x\nneeds: [a]', '4 steps[0].needs[0] = "a": refers to the step itself'],
    ['prompt: x\nneeds:\n  - b', '5 steps[0].needs[0] = "b": no step has the id "b"'],
    ['prompt: x\nretries: -1', '4 steps[0].retries = -1: must be a whole number, 0 or more'],
    ['prompt: x\nretries: .inf', '4 steps[0].retries = "Infinity": must be a whole number'],
    ['prompt: x\nrepair: 0.5', '4 steps[0].repair = 0.5: must be a whole number, 0 or more'],
    ['prompt: x\nisolation: vm', '4 steps[0].isolation = "vm": must be "shared", "worktree" or'],
    ['prompt: x\ninputs: ["["]', '4 steps[0].inputs[0] = "[": is not a glob: "]" is missing'],
    ['prompt: x\nfor: {}', '4 steps[0].for = {}: must give each variable a glob'],
    ['prompt: x\nfor: { f: 1 }', '4 steps[0].for.f = 1: must give each variable a glob'],
    ['prompt: x\nfor: { f: [] }', '4 steps[0].for.f = []: must not be an empty list'],
    ['prompt: x\nfor: { f: "*.ts" }', '4 steps[0].for.f = "*.ts": matches no file in '],
    [
      'prompt: "{{__proto__}}"\nvars: { __proto__: a }',
      '3 steps[0].prompt = "{{__proto__}}": is not a variable',
    ],
    ['prompt: x\nfor: { 1f: [a] }', '4 steps[0].for.1f = ["a"]: is not a valid variable name'],
    ['prompt: x\nfor: { f: [a, a] }', '4 steps[0].for = "a[a]": is the id of two steps'],
    ['prompt: x\nfor: { f: [a] }\nresume: 1', '5 steps[0].resume = 1: cannot be combined with for'],
    ['prompt: x\nworkingDir: no', '4 steps[0].workingDir = "no": '],
    ['prompt: x\nworking_dir: empty.md', 'empty.md is not a directory'],
    ['prompt: x\nincludeDirectories: [no]', '4 steps[0].includeDirectories = '],
    ['prompt: x\ntimeout: soon', '4 steps[0].timeout = "soon": '],
    ['prompt: x\nallowed_tools: [a b]', '4 steps[0].allowedTools[0] = "a b": must be the name of'],
    ['prompt: x\nenv: { KEY: 5 }', '4 steps[0].env.KEY = "(hidden)": '],
    ['prompt: x\nonPermission: x', '4 steps[0].onPermission = "x": cannot be set in a file'],
    ['prompt: x\nmaxFailures: 2', '4 steps[0].maxFailures = 2: belongs to the plan'],
    ['prompt: x\nunattended: fail', '4 steps[0].unattended = "fail": needs transport "acp"'],
  ])('are reported for %j', async (keys, problem) => {
    const problems = await inStep(keys, {
      'empty.md': '\n',
      'nul.md': 'a\0b',
      'latin1.md': Buffer.from([0xe4]),
    });
    expect(problems).toContainEqual(expect.stringContaining(problem));
  });

  it('include a prompt file that is longer than the limit of the CLI', async () => {
    const files = { 'big.md': Buffer.alloc(8 * 1024 * 1024 + 1, 'x') };
    expect(await inStep('promptFile: big.md', files)).toEqual([
      '3 steps[0].promptFile = "big.md": has more than 8388608 bytes',
    ]);
  });

  it('include a pipe as prompt file, without waiting for its content', async () => {
    const problems = await inStep(`promptFile: ${makePipe()}`);
    expect(problems).toEqual([expect.stringContaining('is not a regular file')]);
  });

  it.each([['a b'], ['a[b]'], ['ä'], ['a{{b'], ['a\nb'], ['']])(
    'include the invalid id %j',
    async (id) => {
      const problems = await problemsIn(JSON.stringify([{ id, prompt: 'x' }]), {}, 'plan.json');
      expect(problems).toEqual([expect.stringContaining('may have letters (a to z), digits, ')]);
    },
  );

  it('include an id that is a number, and an id that makes references ambiguous', async () => {
    expect(await problemsIn('steps:\n  - id: 1\n    prompt: x')).toEqual([
      '2 steps[0].id = 1: must be a text; a number needs quotes',
    ]);
    expect(await problemsIn('steps:\n  - id: a.data.b\n    prompt: x')).toEqual([
      expect.stringContaining('must not have a part ".text", ".files" or ".data"'),
    ]);
  });

  it('name the id of the step, or its index', async () => {
    const file = makePlan('steps:\n  - { id: a, prompt: x, retries: -1 }\n  - { prompt: x }\n');
    expect((await errorOf(() => readPlan(file))).problems).toEqual([
      expect.objectContaining({ step: 'a', key: 'steps[0].retries', file, line: 2 }),
      expect.objectContaining({ step: 'steps[1]', key: 'steps[1].id', file, line: 3 }),
    ]);
  });
});

describe('the error of a plan', () => {
  it('has one line with the number of problems and the first problem', async () => {
    const file = makePlan('steps:\n  - { id: a, prompt: x, retries: -1 }\nname: ""\nx: 1\n');
    const error = await errorOf(() => readPlan(file));
    expect(error.message).toBe(
      `3 problems in ${file}, the first in line 2: steps[0].retries = -1: must be a whole number, 0 or more`,
    );
    expect(error.hint).toContain('`problems`');
  });

  it('reports each mistake once, without problems that follow from it', async () => {
    const text = `
vars: { one: [1] }
steps:
  - id: a b
    prompt: "{{one}} {{two}} {{file}}"
    vars: { two: [] }
    for: { file: [] }
  - id: c
    needs: [a b]
    prompt: "{{steps.d.data}}"
  - id: d
    prompt: x
    expects: { json: 3 }
`;
    expect((await problemsIn(text)).map((line) => line.split(' = ', 1)[0])).toEqual([
      '2 vars.one',
      '4 steps[0].id',
      '6 steps[0].vars.two',
      '7 steps[0].for.file',
      '13 steps[2].expects.json',
    ]);
  });

  it('does not show the value of an unknown key', async () => {
    const error = await errorOf(() => readText(step('prompt: x\nenvironment: { KEY: hush }')));
    expect(JSON.stringify(error)).not.toContain('hush');
  });
});

describe('defaults', () => {
  it('apply where a step sets no value, and variables are merged', async () => {
    const plan = await readText(`
vars: { a: plan, b: plan, c: plan, d: plan }
defaults:
  vars: { b: default, c: default, d: default }
  retries: 1
  repair: 2
  isolation: worktree
  inputs: [x.md]
  expects: { contains: yes!, files: "*" }
  model: flash
  env: { A: x, B: y }
steps:
  - id: a
    prompt: "{{a}} {{b}} {{c}} {{d}}"
    vars: { c: step, d: step }
    for: { d: [for] }
  - id: b
    prompt: x
    retries: 0
    repair: 0
    isolation: shared
    inputs: []
    expects: { contains: no! }
    model: pro
    env: { C: z }
    timeout: null
`);
    expect(stepOf(plan, 'a[for]')).toMatchObject({
      prompt: 'plan default step for',
      retries: 1,
      repair: 2,
      isolation: 'worktree',
      inputs: [join(plan.baseDir, 'x.md')],
      expects: { contains: 'yes!', files: '*' },
      config: { model: 'flash', env: { A: 'x', B: 'y' } },
    });
    const b = stepOf(plan, 'b');
    expect(b).toMatchObject({ retries: 0, repair: 0, isolation: 'shared', inputs: [] });
    expect(b.expects).toEqual({ contains: 'no!' });
    expect(b.config).toEqual({ model: 'pro', env: { C: 'z' }, workingDir: plan.baseDir });
  });

  it('are reported once, even if they are wrong for many steps', async () => {
    const text = `
defaults:
  unattended: fail
  working_dir: nowhere
  model: 3
steps:
${Array.from({ length: 20 }, (_, index) => `  - { id: s${index}, prompt: x }`).join('\n')}
`;
    expect((await problemsIn(text)).map((line) => line.split(' = ', 1)[0])).toEqual([
      '3 defaults.unattended',
      '4 defaults.workingDir',
      '5 defaults.model',
    ]);
  });

  it('are not reported if each step overrides the invalid value', async () => {
    const plan = await readText(`
defaults: { unattended: fail, workingDir: nowhere }
steps:
  - { id: a, prompt: x, transport: acp, workingDir: . }
`);
    expect(plan.steps).toHaveLength(1);
  });

  it('are reported at the step that conflicts with them', async () => {
    const problems = await problemsIn(`
defaults: { transport: acp, unattended: fail }
steps:
  - { id: a, prompt: x }
  - { id: b, prompt: x, transport: headless }
`);
    expect(problems).toEqual(['5 steps[1].unattended = "fail": needs transport "acp"']);
  });
});

describe('a plan from code', () => {
  it('is a plan or a list of steps, with paths relative to a folder', async () => {
    const baseDir = makeFolder({ 'a.md': 'hello' });
    const steps = [{ id: 'a', promptFile: 'a.md' }];
    const plan = await expandPlan({ steps, name: 'mine', concurrency: 3 }, { baseDir });
    expect(plan).toMatchObject({ name: 'mine', baseDir, limits: { concurrency: 3 } });
    expect(plan).not.toHaveProperty('file');
    expect(await expandPlan(steps, { baseDir, name: 'given' })).toMatchObject({ name: 'given' });
    expect(await expandPlan([{ id: 'a', prompt: 'x' }])).toMatchObject({
      name: 'plan',
      baseDir: process.cwd(),
    });
  });

  it('may hold functions and zod schemas', async () => {
    const onPermission = () => 'reject' as const;
    const schema = z.object({ ok: z.boolean() });
    const plan = await expandPlan({
      defaults: { transport: 'acp', onPermission },
      steps: [{ id: 'a', prompt: 'x', expects: { json: schema } }],
    });
    expect(plan.steps[0]?.config['onPermission']).toBe(onPermission);
    expect(plan.steps[0]?.expects?.json).toBe(schema);
  });

  it('reports its problems in the order of its steps, without file and line', async () => {
    const plan: BatchPlan = {
      concurrency: 0,
      steps: [
        { id: 'a', prompt: '{{nobody}}', needs: ['c'] },
        { id: 'b', prompt: 'x', retries: -1 },
      ],
    };
    const { problems, message } = await errorOf(() => expandPlan(plan));
    expect(problems).toEqual([
      { key: 'concurrency', value: 0, problem: expect.any(String) },
      expect.objectContaining({ key: 'steps[0].prompt', step: 'a' }),
      expect.objectContaining({ key: 'steps[0].needs[0]', step: 'a' }),
      { key: 'steps[1].retries', value: -1, problem: expect.any(String), step: 'b' },
    ]);
    expect(message).toMatch(/^4 problems in the plan, the first: concurrency = 0: /);
  });

  it.each([[null], ['x'], [new Map()], [42]])('is refused if it is %s', async (plan) => {
    // @ts-expect-error: plain JavaScript may pass any value
    expect(await errorOf(() => expandPlan(plan))).toMatchObject({ code: 'INVALID_CONFIG' });
  });

  it('needs a folder that exists', async () => {
    const baseDir = join(makeFolder(), 'nowhere');
    const { problems } = await errorOf(() => expandPlan([{ id: 'a', prompt: 'x' }], { baseDir }));
    expect(problems).toEqual([{ key: 'baseDir', value: baseDir, problem: 'is not a directory' }]);
  });

  it('is checked once for each distinct function', async () => {
    const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
    const plan: BatchPlan = {
      steps: [
        { id: 'a', prompt: 'x', logger },
        // @ts-expect-error: plain JavaScript may pass any value
        { id: 'b', prompt: 'x', logger: { ...logger, error: 'none' } },
      ],
    };
    expect((await errorOf(() => expandPlan(plan))).problems).toMatchObject([{ step: 'b' }]);
  });
});

describe('the working directory of a step', () => {
  it('is relative to the folder of the plan, and that folder by default', async () => {
    const file = makePlan(
      'steps:\n  - { id: a, prompt: x }\n  - { id: b, prompt: x, working_dir: s }',
    );
    mkdirSync(join(file, '../s/in'), { recursive: true });
    const plan = await readPlan(file);
    expect(plan.steps.map(({ config }) => config['workingDir'])).toEqual([
      plan.baseDir,
      join(plan.baseDir, 's'),
    ]);
  });
});
