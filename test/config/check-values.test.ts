import { describe, expect, it } from 'vitest';
import { checkValues } from '../../src/config/check-values.js';
import { exampleOf } from '../../src/config/config-examples.js';
import { CONFIG_KEYS, configSchema } from '../../src/config/schema.js';

const problemsOf = (values: object) =>
  checkValues(configSchema, values).problems.map(({ key, problem }) => `${key}: ${problem}`);

/** Words of zod that say nothing to an author of a configuration. */
const FOREIGN = /Invalid|expected|received|Unrecognized|Too (big|small)|\binput\b/;

describe('the problem of a wrong value', () => {
  it.each([
    [{ repair: 99 }, 'repair: must be a whole number from 0 to 10'],
    [{ approvalMode: 'YOLO' }, /Did you mean "yolo"\?$/],
    [{ approvalMode: 'acceptEdits' }, /It is called "auto_edit" here$/],
    [{ approvalMode: 'toString' }, /"yolo" or "plan"$/],
    [{ trustWorkspace: 'true' }, 'trustWorkspace: must be true or false, without quotes'],
    [
      { pool: { maxProcess: 1 } },
      /^pool: has the unknown key "maxProcess"\. Did you mean "maxProcesses"\?$/,
    ],
    [{ pool: { maxProcesses: '2' } }, 'pool.maxProcesses: must be a whole number, 1 or more'],
    [{ expects: { file: 'a' } }, /^expects: has the unknown key "file"\. Did you mean "files"\?$/],
    [{ expects: { colour: 1 } }, /Known keys: files, contains, json, command, noChangesOutside$/],
    [
      { systemPrompt: { mode: 'replce', text: 'x' } },
      /^systemPrompt\.mode: .*Did you mean "replace"\?$/,
    ],
    [{ systemPrompt: 5 }, /^systemPrompt: must be a string, { mode, text }/],
    [{ timeout: 600_000 }, /^timeout: .*write "10m" for 600000 milliseconds/],
    [{ extraArgs: ['--model', 'x', '--yolo'] }, /--model/],
    [{ extraArgs: ['--model', 'x', '--yolo'] }, /--yolo/],
    [{ expects: { files: [{ globb: 'x' }] } }, /^expects\.files\.0: has the unknown key "globb"/],
  ])('%j names what is allowed', (values, problem) => {
    const matching = expect.stringMatching(
      problem instanceof RegExp ? problem : new RegExp(`^${problem}$`),
    );
    expect(problemsOf(values)).toContainEqual(matching);
  });

  it.each(CONFIG_KEYS)('of %s is in the words of this package', (key) => {
    const wrong = [
      Symbol('x'),
      -1.5,
      '',
      [Symbol('x')],
      [''],
      { a: Symbol('x') },
      () => {},
      true,
      null,
    ];
    const problems = wrong.flatMap((value) => problemsOf({ [key]: value }));
    expect(problems).not.toEqual([]);
    expect(problems.filter((problem) => FOREIGN.test(problem))).toEqual([]);
  });
});

describe('the example of a key', () => {
  it.each(CONFIG_KEYS.filter((key) => !['onPermission', 'logger'].includes(key)))(
    'is a valid value of %s',
    (key) => {
      const example = exampleOf(key) ?? '';
      const json = example.slice(key.length + 2).replaceAll(/(\w+): /g, '"$1": ');
      expect(problemsOf({ [key]: JSON.parse(json) })).toEqual([]);
    },
  );

  it('exists for every key and for no others', () => {
    expect(CONFIG_KEYS.filter((key) => exampleOf(key) === undefined)).toEqual([]);
    expect(exampleOf('constructor')).toBeUndefined();
  });
});
