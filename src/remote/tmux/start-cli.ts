import { randomUUID } from 'node:crypto';
import { findCli } from '../../agents/gemini/find-cli.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import type { Environment } from '../../base/process/environment.js';
import { writePaneScript } from './pane-script.js';
import { paneVariables } from './pane-variables.js';
import { createTmux, findTmuxProblem, type RunTmux } from './run-tmux.js';

/** Name of our own server of tmux. */
export const TMUX_NAME = 'gemini-cli-provider';
/** Option of a pane that holds the id of the CLI's session. */
export const PANE_OPTION = '@gemini_cli_session';

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
  /** True if the pane stays open when the CLI ends, so that `watchStart` can read its last screen. Default: false. */
  readonly keepsScreen?: boolean | undefined;
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
  const { folder, environment, cliSessionId, isResumed, args } = start;
  const problem = await findTmuxProblem();
  if (problem !== undefined) throw new ProviderError({ code: 'INVALID_CONFIG', message: problem });
  const cli = findCli({ cliPath: start.cliPath, workingDir: folder, env: environment });
  const run = start.tmux ?? createTmux({ name: TMUX_NAME });
  const name = `gemini-${randomUUID().slice(0, 8)}`;
  const script = await writePaneScript({
    variables: paneVariables(environment),
    command: [cli.command, ...cli.args],
    ...{ args, cliSessionId, isResumed },
  });
  const target = `=${name}:`;
  try {
    // One call of tmux: a CLI that ends at once would take its pane away before a second one.
    const pane = await run([
      ...['new-session', '-d', '-P', '-F', '#{pane_id}', '-s', name, '-x', '200', '-y', '50'],
      ...['-c', folder, ...script.command],
      ...(start.keepsScreen === true ? [';', ...remainOnExit(target, true)] : []),
      ...[';', 'set-option', '-p', '-t', target, PANE_OPTION, cliSessionId],
    ]);
    return { run, name, pane: pane.trim() };
  } catch (error) {
    await script.remove();
    throw error;
  }
}

/** Returns the command of tmux that keeps a pane open after its program has ended, or no longer does so. */
export function remainOnExit(target: string, isOn: boolean): string[] {
  return ['set-option', '-w', '-t', target, 'remain-on-exit', isOn ? 'on' : 'off'];
}
