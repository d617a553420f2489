import { randomUUID } from 'node:crypto';
import { findCli } from '../../agents/gemini/find-cli.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import type { Environment } from '../../base/process/environment.js';
import { createTmux, findTmuxProblem, type RunTmux } from './run-tmux.js';
import { shellWord } from './shell-word.js';

/** Name of our own server of tmux. */
export const TMUX_NAME = 'gemini-cli-provider';
/** Option of a pane that holds the id of the CLI's session. */
export const PANE_OPTION = '@gemini_cli_session';

/** Variables that a terminal program needs. Others of the server, such as those of an editor, would open dialogs in the CLI. */
const PASSED =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TZ|TMPDIR|XDG_\w+|SSH_AUTH_SOCK|GEMINI_\w+|GOOGLE_\w+|GCLOUD_\w+|HTTPS?_PROXY|NO_PROXY|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS|NODE_OPTIONS)$/;

/** Exit codes of the CLI: it wants to be started again, and it does not know the session. */
const RESTART = 199;
const NO_SESSION = 42;

export interface CliStart {
  readonly folder: string;
  /** Arguments of the CLI. */
  readonly args: readonly string[];
  /** Id of a new session, or of the one that is continued. */
  readonly cliSessionId: string;
  readonly isResumed: boolean;
  readonly environment: Environment;
  readonly cliPath?: string | undefined;
  readonly tmux?: RunTmux | undefined;
}

export interface StartedCli {
  readonly run: RunTmux;
  /** Name of the session in tmux. */
  readonly name: string;
  /** Id of the pane. */
  readonly pane: string;
}

/**
 * Starts the interactive CLI in a session of tmux. The id of the CLI's session is chosen here, so that hooks and pane are
 * known to belong together from the beginning. Throws a `ProviderError`.
 */
export async function startCliInTmux(start: CliStart): Promise<StartedCli> {
  const { folder, environment, cliSessionId, isResumed } = start;
  const problem = await findTmuxProblem();
  if (problem !== undefined) throw new ProviderError({ code: 'INVALID_CONFIG', message: problem });
  const cli = findCli({ cliPath: start.cliPath, workingDir: folder, env: environment });
  const run = start.tmux ?? createTmux({ name: TMUX_NAME });
  const name = `gemini-${randomUUID().slice(0, 8)}`;
  const prefix = ['env', '-i', ...renderEnvironment(environment), cli.command, ...cli.args];
  const line = renderStart(prefix, start.args, cliSessionId, isResumed);
  const format = '#{pane_id}';
  const size = ['-x', '200', '-y', '50'];
  const pane = (
    await run([
      'new-session',
      '-d',
      '-P',
      '-F',
      format,
      '-s',
      name,
      ...size,
      '-c',
      folder,
      'sh',
      '-c',
      line,
    ])
  ).trim();
  await run(['set-option', '-p', '-t', pane, PANE_OPTION, cliSessionId]);
  return { run, name, pane };
}

/**
 * Returns the script that sh runs in the pane. TMUX and TMUX_PANE are known there alone, and the hooks need them. A CLI
 * that wants to be started again, for example after the question about trust, exits with 199: it then resumes its session, or
 * begins it if the CLI has no record of it yet. Exported for its test.
 */
export function renderStart(
  prefix: readonly string[],
  args: readonly string[],
  cliSessionId: string,
  isResumed: boolean,
): string {
  const [env = '', ignore = '', ...rest] = prefix.map(shellWord);
  const words = [env, ignore, 'TMUX="$TMUX"', 'TMUX_PANE="$TMUX_PANE"', ...rest, '"$@"'];
  const run = `run() { ${[...words, ...args.map(shellWord)].join(' ')}; }`;
  const id = shellWord(cliSessionId);
  const begin = isResumed ? `run --resume ${id}` : `run --session-id ${id}`;
  return [
    run,
    `${begin}; code=$?`,
    `while [ $code -eq ${RESTART} ]; do run --resume ${id}; code=$?; if [ $code -eq ${NO_SESSION} ]; then ${begin}; code=$?; fi; done`,
    'exit $code',
  ].join('; ');
}

/** Returns the variables of the CLI as arguments of `env`. Exported for its test. */
export function renderEnvironment(environment: Environment): string[] {
  const passed = Object.entries(environment).filter(
    ([name, value]) => value !== undefined && PASSED.test(name),
  );
  const fixed: Readonly<Record<string, string>> = {
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    GEMINI_CLI_NO_RELAUNCH: 'true',
    // Without it, bash takes itself for a remote shell, because the stdin of a hook is a socket, and reads ~/.bashrc first. That
    // delays every hook, and a file that waits for something stops them.
    SHLVL: '1',
  };
  const all = { LANG: 'C.UTF-8', ...Object.fromEntries(passed), ...fixed };
  return Object.entries(all).map(([name, value]) => `${name}=${value}`);
}
