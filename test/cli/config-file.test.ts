import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfigFile } from '../../src/cli/config-file.js';
import { failureOf, makeFolder } from '../fixtures/cli/support.js';

const file = (text: string) => join(makeFolder({ 'config.yaml': text }), 'config.yaml');

describe('a configuration file', () => {
  it('is YAML or JSON, and its content is not judged here', () => {
    const yaml = 'model: flash\nallowed_tools:\n  - write_file\nsandbox: null\n';
    expect(readConfigFile(file(yaml))).toEqual({
      model: 'flash',
      allowed_tools: ['write_file'],
      sandbox: null,
    });
    expect(readConfigFile(file('{"timeout": "long"}'))).toEqual({ timeout: 'long' });
  });

  it.each([
    ['a: [1', 'config = '],
    ['', 'must hold settings by name'],
    ['- a\n- b\n', 'must hold settings by name'],
    ['just text', 'must hold settings by name'],
  ])('%j is refused', async (text, message) => {
    const path = file(text);
    expect(await failureOf(() => readConfigFile(path))).toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringContaining(message),
      problems: [{ key: 'config', value: path }],
    });
  });

  it('must be there', async () => {
    expect(await failureOf(() => readConfigFile('/no/such/file.yaml'))).toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringContaining('ENOENT'),
    });
  });
});
