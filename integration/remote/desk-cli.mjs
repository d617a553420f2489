import { randomUUID } from 'node:crypto';
import { delimiter, dirname } from 'node:path';
import { startCliInTmux } from '../../.build/remote/tmux/start-cli.js';
import { findTmux } from '../../.config/tmux-binary.mjs';

/**
 * Gives this process and its children a tmux server of their own.
 * @param {string} folder for the socket of the server
 */
export function useOwnTmux(folder) {
  const { command, env } = findTmux();
  /** @type {Record<string, string>} */
  const variables = { ...env, TMUX_TMPDIR: folder };
  if (command.includes('/'))
    variables['PATH'] = `${dirname(command)}${delimiter}${process.env['PATH']}`;
  const before = Object.keys(variables).map(
    (name) => /** @type {const} */ ([name, process.env[name]]),
  );
  Object.assign(process.env, variables);
  return {
    variables,
    /** Gives the process its variables back. */
    restore: () => {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    },
  };
}

/**
 * Starts the interactive CLI in tmux, as `remote run` does. `kill-server` of `run` ends it.
 * @param {string} folder
 * @param {Readonly<Record<string, string>>} env variables of the scripted model
 */
export async function startDeskCli(folder, env) {
  const cliSessionId = randomUUID();
  const { run, pane } = await startCliInTmux({
    folder,
    args: ['--approval-mode', 'default', '-m', 'gemini-2.5-flash'],
    cliSessionId,
    isResumed: false,
    environment: { ...process.env, ...env, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
  });
  return { run, pane, cliSessionId };
}
