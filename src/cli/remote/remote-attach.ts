import { ProviderError } from '../../base/errors/provider-error.js';
import { readEnvironment } from '../../base/process/environment.js';
import { runAttached } from '../../base/process/run-attached.js';
import { createTmux } from '../../remote/tmux/run-tmux.js';
import { PANE_OPTION, TMUX_NAME } from '../../remote/tmux/start-cli.js';

/** A session in our tmux server. */
export interface TmuxSession {
  readonly name: string;
  /** Id of the CLI's session. Empty if the pane has none. */
  readonly cliSessionId: string;
}

/**
 * Attaches this terminal to a session of our tmux server, and waits until it is detached. Returns the exit code of tmux.
 *
 * @param given name of the session in tmux, or the beginning of the id of the CLI's session; undefined for the latest
 */
export async function attachToTmux(given: string | undefined): Promise<number> {
  const run = createTmux({ name: TMUX_NAME });
  const format = `#{session_created} #{session_name} #{${PANE_OPTION}}`;
  const listed = await run(['list-panes', '-a', '-F', format]).catch(() => '');
  const wanted = findTmuxSession(parseTmuxSessions(listed), given);
  const args = ['-L', TMUX_NAME, 'attach-session', '-t', `=${wanted.name}`];
  const { exitCode } = await runAttached('tmux', args, readEnvironment()).exit;
  return exitCode ?? 1;
}

/** Reads a list of panes, and sorts it: the latest session is last. A person may have divided a window into more panes. */
export function parseTmuxSessions(listed: string): TmuxSession[] {
  const sessions = new Map<string, TmuxSession>();
  for (const line of listed.split('\n').sort()) {
    const [, name = '', cliSessionId = ''] = line.split(' ');
    if (name === '' || (sessions.has(name) && cliSessionId === '')) continue;
    sessions.set(name, { name, cliSessionId });
  }
  return [...sessions.values()];
}

/** Finds a session by its name or by the beginning of its id. Throws INVALID_INPUT if there is none, or more than one. */
export function findTmuxSession(
  sessions: readonly TmuxSession[],
  given: string | undefined,
): TmuxSession {
  const matching =
    given === undefined
      ? sessions.slice(-1)
      : sessions.filter(({ name, cliSessionId }) => {
          return name === given || (given !== '' && cliSessionId.startsWith(given));
        });
  const [wanted] = matching;
  if (wanted !== undefined && matching.length === 1) return wanted;
  const known = sessions.map(({ name, cliSessionId }) => `${name} (${cliSessionId})`);
  throw new ProviderError({
    code: 'INVALID_INPUT',
    message: describeMiss(given, matching.length),
    hint:
      known.length === 0
        ? 'Start one with: gemini-cli-provider remote run'
        : `Sessions: ${known.join(', ')}`,
  });
}

function describeMiss(given: string | undefined, count: number): string {
  if (given === undefined) return 'No session runs in tmux';
  if (count > 1) return `${count} sessions have an id that begins with ${given}`;
  return `There is no session ${given} in tmux`;
}
