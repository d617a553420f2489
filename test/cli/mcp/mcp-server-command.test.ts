import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { serverCommand } from '../../../src/cli/mcp/mcp-server-command.js';

describe('serverCommand', () => {
  it('repeats the flags with absolute paths and without --print-config and --root', () => {
    const argv = ['/bin/node', '/opt/cli.js', 'mcp', '--print-config', 'claude', '-c', 'a.yaml'];
    const more = ['--root=x', '--model', 'flash', '--config=b.yaml', '--no-strict'];
    expect(serverCommand([...argv, ...more], ['/work'], {})).toEqual({
      command: '/bin/node',
      args: [
        '/opt/cli.js',
        'mcp',
        '--root',
        '/work',
        '-c',
        resolve('a.yaml'),
        '--model',
        'flash',
        '--config',
        resolve('b.yaml'),
        '--no-strict',
      ],
      variables: [],
    });
  });

  it('starts a package of npx by npx', () => {
    const script = resolve('/home/u/.npm/_npx/1a2b/node_modules/.bin/gemini-cli-provider');
    const { command, args } = serverCommand(['/bin/node', script, 'mcp'], ['/work'], {});
    expect([command, ...args]).toEqual([
      'npx',
      '-y',
      'gemini-cli-provider',
      'mcp',
      '--root',
      '/work',
    ]);
  });

  it('names the variables of the login that are set', () => {
    const environment = { GEMINI_API_KEY: 'k', GOOGLE_API_KEY: '', PATH: '/bin' };
    const { variables } = serverCommand(['node', 'cli.js', 'mcp'], [], environment);
    expect(variables).toEqual(['GEMINI_API_KEY']);
  });
});
