import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findProjectConfig, findUserConfig } from '../../../src/cli/config/find-config-file.js';
import { failureOf, makeFolder } from '../../fixtures/cli/support.js';

describe('the config file of a project', () => {
  it.each([
    'gemini-cli-provider.yaml',
    'gemini-cli-provider.yml',
    'gemini-cli-provider.json',
    '.config/gemini-cli-provider.yaml',
  ])('may be %s', (name) => {
    const root = makeFolder({ [name]: '' });
    expect(findProjectConfig(root)).toEqual({ path: join(root, name), root, isPackage: false });
  });

  it('may be a key of package.json', () => {
    const root = makeFolder({ 'package.json': '{"gemini-cli-provider": {}}' });
    const path = join(root, 'package.json');
    expect(findProjectConfig(root)).toEqual({ path, root, isPackage: true });
  });

  it.each(['{}', 'not JSON', '[]', '"text"'])('is not a package.json with %j', (text) => {
    expect(findProjectConfig(makeFolder({ 'package.json': text }))).toBeUndefined();
  });

  it('is looked for in the folders above, up to the root of the repository', () => {
    const root = makeFolder({
      'gemini-cli-provider.yaml': '',
      'repo/.git/HEAD': '',
      'repo/.config/gemini-cli-provider.yaml': '',
      'repo/a/b/x': '',
      'other/.git/HEAD': '',
      'other/a/x': '',
    });
    expect(findProjectConfig(join(root, 'repo/a/b'))).toMatchObject({ root: join(root, 'repo') });
    expect(findProjectConfig(join(root, 'other/a'))).toBeUndefined();
  });

  it('is not looked for above a folder that is in no repository', () => {
    const root = makeFolder({ 'gemini-cli-provider.yaml': '', 'a/x': '' });
    expect(findProjectConfig(join(root, 'a'))).toBeUndefined();
  });

  it('is refused if there are two in one folder', async () => {
    const root = makeFolder({ 'gemini-cli-provider.yaml': '', 'gemini-cli-provider.json': '' });
    expect(await failureOf(() => findProjectConfig(root))).toMatchObject({
      code: 'INVALID_CONFIG',
      problems: [{ key: 'config', value: join(root, 'gemini-cli-provider.json') }],
    });
  });
});

describe("the user's own config file", () => {
  it('lies in ~/.config, or in XDG_CONFIG_HOME', () => {
    const home = makeFolder({
      '.config/gemini-cli-provider.yaml': '',
      'xdg/gemini-cli-provider.json': '',
    });
    expect(findUserConfig({ HOME: home })?.path).toBe(
      join(home, '.config/gemini-cli-provider.yaml'),
    );
    const env = { HOME: home, XDG_CONFIG_HOME: join(home, 'xdg') };
    expect(findUserConfig(env)?.path).toBe(join(home, 'xdg/gemini-cli-provider.json'));
    expect(findUserConfig({ HOME: '/nowhere' })).toBeUndefined();
  });
});
