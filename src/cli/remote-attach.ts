import { ProviderError } from '../base/errors/provider-error.js';
import { readEnvironment } from '../base/process/environment.js';
import { runAttached } from '../base/process/run-attached.js';
import { createTmux } from '../remote/tmux/run-tmux.js';
import { TMUX_NAME } from '../remote/tmux/start-cli.js';

/**
 * Attaches this terminal to a session of our tmux server, and waits until it is detached. Returns the exit code of tmux.
 *
 * @param name name of the session; undefined for the latest
 */
export async function attachToTmux(name: string | undefined): Promise<number> {
  const run = createTmux({ name: TMUX_NAME });
  const listed = await run(['list-sessions', '-F', '#{session_created} #{session_name}']).catch(
    () => '',
  );
  const names = listed
    .split('\n')
    .filter((line) => line !== '')
    .sort()
    .map((line) => line.slice(line.indexOf(' ') + 1));
  const wanted = name ?? names.at(-1);
  if (wanted === undefined || !names.includes(wanted))
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message:
        wanted === undefined ? 'No session runs in tmux' : `There is no session ${wanted} in tmux`,
      hint:
        names.length === 0
          ? 'Start one with: gemini-cli-provider remote run'
          : `Sessions: ${names.join(', ')}`,
    });
  const args = ['-L', TMUX_NAME, 'attach-session', '-t', `=${wanted}`];
  const { exitCode } = await runAttached('tmux', args, readEnvironment()).exit;
  return exitCode ?? 1;
}
