import { describe, expect, it } from 'vitest';
import { problemsIn, readText } from './plans.js';

const SCHEMA = '{ "type": "object" } // the answer';
const FILES = {
  'schema.json': SCHEMA,
  'schema.yaml': 'type: object\n',
  'list.json': '[]',
  'broken.json': '{\n"type": }',
};

const plan = (expects: string) => `steps:
  - id: a
    prompt: x
    expects:
${expects.replaceAll(/^/gm, '      ')}
`;

async function read(expects: string) {
  return (await readText(plan(expects), FILES)).steps[0]?.expects;
}

describe('expectations', () => {
  it.each([
    ['files: out/*.ts', { files: 'out/*.ts' }],
    ['files: [a, { glob: b, min: 0, max: 0 }]', { files: ['a', { glob: 'b', min: 0, max: 0 }] }],
    ['files: "(group)/[id\\\\]/{a,{b,c}}.ts"', undefined],
    ['files: "(group)/\\\\[id\\\\]/{a,{b,c}}.ts"', { files: '(group)/\\[id\\]/{a,{b,c}}.ts' }],
    ['contains: [a, b]', { contains: ['a', 'b'] }],
    ['command: npm run "a && b"', { command: 'npm run "a && b"' }],
    ["command: sh -c 'a | b; c'", { command: "sh -c 'a | b; c'" }],
    [
      'command: { command: npm, args: ["", "&&"], timeout: 1.5 }',
      { command: { command: 'npm', args: ['', '&&'], timeout: 1.5 } },
    ],
    ['json: { type: object }', { json: { type: 'object' } }],
    ['json: schema.json', { json: { type: 'object' } }],
    ['json: schema.yaml', { json: { type: 'object' } }],
    ['no_changes_outside: src/**', { noChangesOutside: 'src/**' }],
    ['files: null', {}],
  ])('are read from %s', async (expects, result) => {
    if (result === undefined) expect(await problemsIn(plan(expects))).toHaveLength(1);
    else expect(await read(expects)).toEqual(result);
  });

  it.each([
    ['file: a', '5 steps[0].expects.file = "a": is an unknown key. Did you mean "files"?'],
    ['files: ""', '5 steps[0].expects.files = "": must be a glob, { glob, min, max }'],
    ['files: []', '5 steps[0].expects.files = []: must not be an empty list'],
    ['files: 3', '5 steps[0].expects.files = 3: must be a glob, { glob, min, max }'],
    ['files:\n  - a\n  - /b', '7 steps[0].expects.files[1] = "/b": must be relative'],
    ['files: { min: 1 }', '5 steps[0].expects.files = {"min":1}: must have a glob'],
    ['files: { glob: "" }', '5 steps[0].expects.files.glob = "": must be a non-empty text'],
    [
      'files: { glob: "C:\\\\\\\\a" }',
      'steps[0].expects.files.glob = "C:\\\\\\\\a": must be relative',
    ],
    ['files: { glob: a, min: -1 }', '5 steps[0].expects.files.min = -1: must be a whole number'],
    [
      'files: { glob: a, max: 0 }',
      '5 steps[0].expects.files.max = 0: must not be below min, which',
    ],
    ['files: { glob: a, most: 1 }', '5 steps[0].expects.files.most = 1: is an unknown key'],
    ['files: "{a"', 'is not a glob: "}" is missing'],
    ['contains: 3', '5 steps[0].expects.contains = 3: must be a non-empty text'],
    ['contains: [""]', '5 steps[0].expects.contains[0] = "": must be a non-empty text'],
    ['json: []', '5 steps[0].expects.json = []: must be a JSON Schema, or the name of a file'],
    ['json: true', '5 steps[0].expects.json = true: must be a JSON Schema, or the name of a file'],
    ['json: no.json', '5 steps[0].expects.json = "no.json": does not exist'],
    ['json: list.json', '5 steps[0].expects.json = "list.json": does not contain a JSON Schema'],
    ['json: broken.json', 'is not JSON: '],
    ['json: broken.json', '(line 2 of the file)'],
    ['command: ""', '5 steps[0].expects.command = "": must name a program'],
    ['command: npm run "x', '5 steps[0].expects.command = "npm run \\"x": has a quote that is not'],
    ['command: a && b', 'has "&&", which only a shell understands'],
    ['command: a; b', 'has "a;", which only a shell understands'],
    ['command: a > b', 'has ">", which only a shell understands'],
    ['command: [a, 3]', '5 steps[0].expects.command[1] = 3: must be a command, { command,'],
    ['command: { args: [] }', '5 steps[0].expects.command = {"args":[]}: must have a command'],
    ['command: { command: " " }', '5 steps[0].expects.command.command = " ": must name a program'],
    ['command: { command: a, args: b }', 'expects.command.args = "b": must be a list of texts'],
    ['command: { command: a, args: [1] }', 'expects.command.args[0] = 1: must be a text'],
    ['command: { command: a, timeout: 0 }', 'expects.command.timeout = 0: must be a number of'],
    [
      'json: { type: nonsense }',
      '5 steps[0].expects.json = {"type":"nonsense"}: is not a JSON Schema',
    ],
    ['command: echo $(date)', 'steps[0].expects.command = "echo $(date)": '],
    ['noChangesOutside: [a, 1]', '5 steps[0].expects.noChangesOutside[1] = 1: must be a glob'],
  ])('are refused: %j', async (expects, problem) => {
    expect(await problemsIn(plan(expects), FILES)).toContainEqual(expect.stringContaining(problem));
  });

  it('must be an object', async () => {
    const text = 'steps: [{ id: a, prompt: x, expects: files }]';
    expect(await problemsIn(text)).toEqual([
      expect.stringContaining('1 steps[0].expects = "files": must be an object with files'),
    ]);
  });
});
