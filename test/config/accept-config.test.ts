import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ProviderError } from '../../src/base/errors/provider-error.js';
import { acceptConfig, readObject, readOptions } from '../../src/config/accept-config.js';
import { failureOf, makeFolder } from '../fixtures/cli/support.js';

async function problemsOf(act: () => unknown): Promise<string[]> {
  const error = await failureOf(act);
  if (!ProviderError.isInstance(error)) throw error;
  expect(error.code).toBe('INVALID_CONFIG');
  return (error.problems ?? []).map(({ key }) => key);
}

describe('acceptConfig', () => {
  it.each([undefined, null, {}])(
    'fills in all defaults for an empty configuration (%j)',
    (input) => {
      const { values, config } = acceptConfig(input);
      expect(values).toEqual({});
      expect(config).toMatchObject({ approvalMode: 'auto_edit', transport: 'headless' });
    },
  );

  it.each(['x', 7, true, [], ['a'], () => {}])(
    'refuses a configuration that is not an object: %o',
    async (input) => {
      expect(await problemsOf(() => acceptConfig(input))).toEqual(['config']);
    },
  );

  it('reports every problem at once, missing folders included', async () => {
    const missing = join(makeFolder(), 'none');
    const input = {
      timeout: -1,
      approval_mode: 'please',
      model: 'a',
      working_dir: missing,
      includeDirectories: [missing, 'relative', 'a,b', 7],
      pool: { maxProcesses: 0 },
    };
    const keys = await problemsOf(() => acceptConfig(input));
    expect(new Set(keys)).toEqual(
      new Set([
        'working_dir',
        'includeDirectories.0',
        'includeDirectories.1',
        'approval_mode',
        'includeDirectories.2',
        'includeDirectories.3',
        'timeout',
        'pool.maxProcesses',
      ]),
    );
  });

  it('refuses a key that is given in both spellings', async () => {
    expect(await problemsOf(() => acceptConfig({ cliPath: 'a', cli_path: 'b' }))).toEqual([
      'cli_path',
    ]);
  });

  it.each([
    ['mcpServers', [{ name: 'a', command: 'b' }]],
    ['onPermission', () => 'reject'],
    ['unattended', 'fail'],
    ['clientFiles', true],
    ['clientTerminals', true],
  ])('accepts %s with the transport acp only', async (key, value) => {
    expect(await problemsOf(() => acceptConfig({ [key]: value }))).toEqual([key]);
    expect(() => acceptConfig({ [key]: value, transport: 'acp' })).not.toThrow();
  });

  it.each([
    ['unattended', 'reject'],
    ['clientFiles', false],
    ['clientTerminals', false],
    ['pool', { maxProcesses: 2 }],
    ['permissionTimeout', 5],
  ])('accepts %s (%j) with any transport', (key, value) => {
    for (const transport of [undefined, 'headless', 'acp']) {
      expect(acceptConfig({ [key]: value, transport }).values).toMatchObject({ [key]: value });
    }
  });

  it('merges a configuration over another one and ignores null values', () => {
    const base = acceptConfig({ model: 'one', timeout: 5 }).values;
    const { values, config } = acceptConfig({ model: null, timeout: 7, sandbox: undefined }, base);
    expect(values).toEqual({ model: 'one', timeout: 7 });
    expect(config).toMatchObject({ model: 'one', timeoutMs: 7000 });
  });

  it('accepts unknown keys and logs a warning with their names', () => {
    const emitted = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    onTestFinished(() => emitted.mockRestore());
    const logged: string[] = [];
    const log = (_fields: object, message: string) => void logged.push(message);
    const logger = { debug: log, info: log, warn: log, error: log };
    const { values } = acceptConfig({ modle: 'x', logger });
    expect(values).toEqual({ logger });
    expect(logged).toEqual([expect.stringContaining('"modle"')]);
  });
});

describe('readOptions', () => {
  const fail = () => {
    throw new TypeError('A trap of the caller');
  };
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();

  it.each([
    ['that was revoked', proxy],
    ['that throws', new Proxy({}, { get: fail, has: fail, ownKeys: fail, getPrototypeOf: fail })],
  ])('refuses a proxy %s (claim: input-validated)', async (_what, input) => {
    expect(await failureOf(async () => readOptions(input, 'config'))).toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringContaining('config'),
    });
  });
});

describe('readObject', () => {
  it('returns the given object, or an empty one for null and undefined', () => {
    const given = { a: 1 };
    expect(readObject(given, 'x')).toBe(given);
    expect([readObject(null, 'x'), readObject(undefined, 'x')]).toEqual([{}, {}]);
  });

  it.each([[[]], ['x'], [0], [false]])(
    'refuses %j and names the key in the error',
    async (value) => {
      expect(await problemsOf(() => readObject(value, 'options'))).toEqual(['options']);
    },
  );
});

class Options {
  readonly model = 'x';
}

describe('the configuration object', () => {
  it.each([
    ['a literal', { model: 'x' }],
    ['an object without a prototype', Object.assign(Object.create(null), { model: 'x' })],
  ])('may be %s', (_what, config) => {
    expect(acceptConfig(config).config.model).toBe('x');
  });

  it.each([[undefined], [null]])('may be %s, which means no options', (config) => {
    expect(acceptConfig(config).values).toEqual({});
  });

  it.each([
    ['a Map', new Map([['model', 'x']]), 'must be a plain object, not an instance'],
    ['a Date', new Date(0), 'must be a plain object, not an instance'],
    ['an instance of a class', new Options(), 'must be a plain object, not an instance'],
    ['a list', ['model'], 'must be an object'],
    ['a number', 5, 'must be an object'],
    ['a number that JSON does not know', Number.NaN, 'must be an object'],
    ['a large number', 5n, 'must be an object'],
    ['a truth value', true, 'must be an object'],
    ['a text', 'model', 'must be an object'],
    ['a function', () => ({}), 'must be an object'],
    ['a symbol', Symbol('model'), 'must be an object'],
  ])('may not be %s', async (_what, config, problem) => {
    expect(await failureOf(() => acceptConfig(config))).toMatchObject({
      code: 'INVALID_CONFIG',
      problems: [{ key: 'config', problem }],
    });
  });

  it.each(['A=B', '', 'A\0'])('must not have the variable name %j in env', async (name) => {
    expect(await failureOf(() => acceptConfig({ env: { [name]: 'x' } }))).toMatchObject({
      problems: [
        {
          key: `env.${name}`,
          value: '(hidden)',
          problem: expect.stringContaining('invalid variable name'),
        },
      ],
    });
  });
});
