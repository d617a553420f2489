import { expect, it } from 'vitest';
import { paneVariables } from '../../../src/remote/tmux/pane-variables.js';

it('the CLI in a pane gets the variables of the person', () => {
  const own = {
    ...{ PATH: '/bin', HOME: '/home/x', LC_ALL: 'de_DE.UTF-8', GEMINI_API_KEY: 'k' },
    ...{ JAVA_HOME: '/java', VIRTUAL_ENV: '/venv', NVM_DIR: '/nvm', GIT_AUTHOR_NAME: 'X' },
    ...{ EDITOR: 'vi', MY_SERVER_TOKEN: 't', https_proxy: 'http://u:p@x', CLOUD_SHELL: 'true' },
  };
  expect(paneVariables(own)).toMatchObject(own);
  expect(paneVariables({})).toMatchObject({ PATH: expect.any(String), LANG: 'C.UTF-8' });
});

it('variables of the terminal, of editors, of CI servers, of shells and of this package stay outside', () => {
  const names = [
    ...['TERM_PROGRAM', 'TERM_PROGRAM_VERSION', 'TERM_SESSION_ID', 'TERMINAL_EMULATOR', 'TERMINFO'],
    ...['TMUX', 'TMUX_PANE', 'TMUX_TMPDIR', 'STY', 'COLUMNS', 'LINES', 'WT_SESSION', 'VTE_VERSION'],
    ...['VSCODE_PID', 'VSCODE_GIT_IPC_HANDLE', 'CURSOR_TRACE_ID', 'ZED_SESSION_ID'],
    ...['JETBRAINS_IDE', 'XCODE_VERSION_ACTUAL', 'POSITRON', 'GEMINI_CLI_IDE_SERVER_PORT'],
    ...['CI', 'GITHUB_ACTIONS', 'VITEST', 'VITEST_WORKER_ID', '_', 'PWD', 'IFS', 'UID', 'PPID'],
    ...['OPTIND', 'SHELLOPTS', 'GEMINI_CLI_PROVIDER_TAG', 'GEMINI_CLI_PROVIDER_QUEUE_SECRET'],
    ...['BASH_FUNC_x%%', 'npm_config_@scope:registry', 'a.b', '1X', ''],
  ];
  const given = Object.fromEntries(names.map((name) => [name, 'value']));
  const fixed = { TERM: 'xterm-256color', COLORTERM: 'truecolor', SHLVL: '1' };
  expect(paneVariables({ ...given, TERM: 'dumb', COLORTERM: 'x', SHLVL: '3' })).toEqual({
    ...paneVariables({}),
    ...fixed,
  });
});
