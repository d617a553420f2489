import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPath, resolveWorkingDir } from '../../src/agents/working-dir.js';
import { resolveConfig } from '../../src/config/resolve-config.js';
import { failureOf, makeFolder } from '../fixtures/cli/support.js';

describe('the working directory of a step', () => {
  it('is workingDir, else the project root in either spelling, else the current directory', () => {
    const [one, two] = [makeFolder(), makeFolder()];
    const configured = resolveConfig({ workingDir: one });
    expect(resolveWorkingDir(configured, { projectRoot: two })).toBe(one);
    expect(resolveWorkingDir(resolveConfig({}), { projectRoot: two })).toBe(two);
    expect(resolveWorkingDir(resolveConfig({}), { project_root: two })).toBe(two);
    expect(resolveWorkingDir(resolveConfig({}), {})).toBe(process.cwd());
    expect(resolveWorkingDir(resolveConfig({ workingDir: '.' }), {})).toBe(process.cwd());
  });

  it.each([
    ['none', 'does not exist'],
    ['file', 'is not a directory'],
  ])('is named in the error if it cannot be used (%s)', async (name, problem) => {
    const path = join(makeFolder({ file: '' }), name);
    const configured = () => resolveWorkingDir(resolveConfig({ workingDir: path }), {});
    expect(await failureOf(configured)).toMatchObject({
      code: 'INVALID_CONFIG',
      problems: [{ key: 'workingDir', value: path, problem }],
    });
    const given = () => resolveWorkingDir(resolveConfig({}), { projectRoot: path });
    expect(await failureOf(given)).toMatchObject({
      code: 'INVALID_INPUT',
      message: `The project root ${path} ${problem}`,
      hint: expect.stringContaining('context.projectRoot'),
    });
  });
});

describe('a path in the context', () => {
  it.each([
    [{}, undefined],
    [{ promptFile: undefined, prompt_file: null }, undefined],
    [{ promptFile: 'a' }, 'a'],
    [{ prompt_file: 'b' }, 'b'],
    [{ promptFile: 'a', prompt_file: 'b' }, 'a'],
  ])('is read from %j under its camelCase or snake_case name', (context, expected) => {
    expect(readPath(context, 'promptFile', 'prompt_file')).toBe(expected);
  });

  it.each(['', 7, false, ['a'], { path: 'a' }])('is refused if it is %j', async (value) => {
    const read = () => readPath({ prompt_file: value }, 'promptFile', 'prompt_file');
    expect(await failureOf(read)).toMatchObject({
      code: 'INVALID_INPUT',
      message: `context.promptFile must be a path, not ${JSON.stringify(value)}`,
    });
  });
});

it.each<unknown[]>([
  [new Array(2 ** 32 - 1)],
  [1n],
  [Symbol('s')],
  [{ toJSON: () => process.exit }],
])(
  'a project root that is no path is refused, whatever it is (%#) (claim: input-validated)',
  (projectRoot: unknown) => {
    expect(() => resolveWorkingDir(resolveConfig({}), { project_root: projectRoot })).toThrow(
      expect.objectContaining({
        code: 'INVALID_INPUT',
        message: expect.stringContaining('context.projectRoot must be a path, not '),
      }),
    );
  },
);
