import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  pathInstallPaths,
  projectInstallPaths,
  usualInstallPaths,
} from '../../../src/agents/gemini/install-paths.js';
import { makeFolder } from '../../fixtures/cli/support.js';

describe('the install folders of a project', () => {
  it('are node_modules/.bin of its folder and of every folder above it', () => {
    expect(projectInstallPaths('/a/b')).toEqual([
      '/a/b/node_modules/.bin',
      '/a/node_modules/.bin',
      '/node_modules/.bin',
    ]);
  });
});

describe('the install folders on PATH', () => {
  it.each([
    [{ PATH: '/a:/b' }, ['/a', '/b']],
    [{ PATH: ':/a::/b:' }, ['/a', '/b']],
    [{ Path: '/windows' }, ['/windows']],
    [{ PATH: '' }, []],
    [{}, []],
  ])('are taken from %j without empty entries', (env, paths) => {
    expect(pathInstallPaths(env)).toEqual(paths);
  });
});

describe('the usual install folders', () => {
  const atHome = (home: string) => {
    return usualInstallPaths({ HOME: home }).flatMap((path) => {
      return path.startsWith(home) ? path.slice(home.length + 1) : [];
    });
  };

  it('are those of the system if there is no home', () => {
    expect(usualInstallPaths({})).toEqual(['/usr/local/bin', '/usr/bin', '/opt/homebrew/bin']);
  });

  it('begin with the version managers at home, newest version first', () => {
    const home = makeFolder({
      '.local/share/mise/installs/node/9.11.2/bin/x': '',
      '.local/share/mise/installs/node/20.1.0/bin/x': '',
      '.local/share/mise/installs/node/20.10.0/bin/x': '',
      '.nvm/versions/node/v22.0.0/bin/x': '',
    });
    expect(atHome(home).filter((path) => /\d/.test(path))).toEqual([
      '.local/share/mise/installs/node/20.10.0/bin',
      '.local/share/mise/installs/node/20.1.0/bin',
      '.local/share/mise/installs/node/9.11.2/bin',
      '.nvm/versions/node/v22.0.0/bin',
    ]);
  });

  it('include the folders of global installs, whether they exist or not', () => {
    const home = makeFolder();
    expect(atHome(home)).toEqual(
      expect.arrayContaining(['.npm-global/bin', '.local/bin', '.volta/bin', '.asdf/shims']),
    );
    expect(usualInstallPaths({ USERPROFILE: home })).toContain(join(home, 'AppData/Roaming/npm'));
  });
});
