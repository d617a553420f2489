import { type Environment, PRIVATE_VARIABLES } from '../../base/process/environment.js';
import { PROCESS_TAG_VARIABLE } from '../../base/process/process-tree.js';

/** A shell can export no other names, such as those of exported functions of bash. */
const NAME = /^[A-Za-z_]\w*$/;

/** Variables that describe a terminal or an editor. The CLI would ask about its editor, or use keys and colours of another terminal. */
const OF_A_TERMINAL = [
  /^(TERM|TMUX|STY$|COLORTERM$|COLORFGBG$|COLUMNS$|LINES$|WINDOWID$|LC_TERMINAL)/,
  /^(VTE_|KITTY_|ITERM_|WEZTERM_|GHOSTTY_|ALACRITTY_|KONSOLE_|GNOME_TERMINAL_|TILIX_|ZELLIJ|ConEmu|WT_)/,
  /^(VSCODE_|CURSOR_|ZED_|JETBRAINS_|ANTIGRAVITY_|POSITRON|XCODE_VERSION_|GEMINI_CLI_IDE_)/,
];

/** Variables of a CI server or a test: with them the CLI believes that no person is there, or trusts every folder. */
const OF_A_MACHINE = /^(CI|GITHUB_ACTIONS|CONTINUOUS_INTEGRATION|VITEST\w*|DEBIAN_FRONTEND)$/;

/** Variables that belong to a shell: it sets them itself, cannot change them, or would behave in another way. */
const OF_A_SHELL =
  /^(_|PWD|OLDPWD|SHLVL|IFS|OPTARG|OPTIND|OPTERR|UID|EUID|PPID|SHELLOPTS|BASHOPTS|BASH_VERSINFO)$/;

const OF_THIS_PACKAGE = new Set([...PRIVATE_VARIABLES, PROCESS_TAG_VARIABLE]);

/** Returns the variables of the CLI in a pane: those of the person, except those that would disturb it there. */
export function paneVariables(environment: Environment): Readonly<Record<string, string>> {
  const passed = Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && isPassed(name) ? [[name, value] as const] : [],
  );
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LANG: 'C.UTF-8',
    ...Object.fromEntries(passed),
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    GEMINI_CLI_NO_RELAUNCH: 'true',
    // Without it, bash takes itself for a remote shell, because the stdin of a hook is a socket, and reads ~/.bashrc first. That
    // delays every hook, and a file that waits for something stops them.
    SHLVL: '1',
  };
}

function isPassed(name: string): boolean {
  return (
    NAME.test(name) &&
    !OF_A_TERMINAL.some((pattern) => pattern.test(name)) &&
    !OF_A_MACHINE.test(name) &&
    !OF_A_SHELL.test(name) &&
    !OF_THIS_PACKAGE.has(name)
  );
}
