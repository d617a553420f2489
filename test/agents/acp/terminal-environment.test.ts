import { describe, expect, it } from 'vitest';
import { readTerminalVariables } from '../../../src/agents/acp/terminal-environment.js';

const read = (...names: string[]) =>
  readTerminalVariables(names.map((name) => ({ name, value: 'x' })));

describe('variables that an agent sets for a command', () => {
  it.each([
    'TERM',
    'LANG',
    'LC_ALL',
    'LC_CTYPE',
    'CI',
    'NO_COLOR',
    'FORCE_COLOR',
    'TZ',
    'NODE_ENV',
  ])('include %s', (name) => {
    expect(read(name)).toEqual({ variables: { [name]: 'x' }, ignored: [] });
  });

  it.each([
    ...['PATH', 'Path', 'NODE_OPTIONS', 'NODE_PATH', 'LD_PRELOAD', 'LD_LIBRARY_PATH', 'LD_AUDIT'],
    ...['DYLD_INSERT_LIBRARIES', 'BASH_ENV', 'ENV', 'IFS', 'SHELLOPTS', 'PS4', 'PYTHONPATH'],
    ...['PYTHONSTARTUP', 'PERL5OPT', 'PERL5LIB', 'RUBYOPT', 'GIT_SSH_COMMAND', 'GIT_EXEC_PATH'],
    ...['GIT_CONFIG_COUNT', 'GIT_DIR', 'npm_config_script_shell', 'NPM_CONFIG_NODE_OPTIONS'],
    ...['HTTPS_PROXY', 'https_proxy', 'EDITOR', 'VISUAL', 'PAGER', 'GIT_PAGER', 'LESSOPEN'],
    ...['HOME', 'SHELL', 'JAVA_TOOL_OPTIONS', 'MAKEFLAGS', 'LOCPATH', 'LC_ALL/..', 'lc_all', ''],
    ...['BASH_FUNC_ls%%', '__proto__', 'GEMINI_CLI_PROVIDER_TAG', 'GCONV_PATH', 'TERMINFO'],
  ])('do not include %j', (name) => {
    expect(read(name)).toEqual({ variables: {}, ignored: [name] });
  });

  it('have no NUL characters', () => {
    const env = [{ name: 'LANG', value: 'C\0LD_PRELOAD=x' }];
    expect(readTerminalVariables(env)).toEqual({ variables: {}, ignored: ['LANG'] });
  });
});
