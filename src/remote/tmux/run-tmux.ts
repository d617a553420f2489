import { lstat } from 'node:fs/promises';
import { messageOf } from '../../base/errors/message-of.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { captureCommand } from '../../base/process/capture-command.js';

const TIMEOUT_MS = 10_000;
const OLDEST: readonly [major: number, minor: number] = [3, 2];

/** Runs a command of tmux on one server and returns its output. Throws a `ProviderError`. */
export type RunTmux = (args: readonly string[], stdin?: string) => Promise<string>;

/** A server of tmux: by the path of its socket, or by a name for one of our own. */
export type TmuxServer = { readonly socket: string } | { readonly name: string };

/**
 * Returns a function that runs commands on a server of tmux. The person's own tmux.conf plays no role for a named one. `-u` keeps
 * the signs of titles and screens, which tmux would replace where no locale is set.
 */
export function createTmux(server: TmuxServer, command = 'tmux'): RunTmux {
  const select =
    'socket' in server ? ['-u', '-S', server.socket] : ['-u', '-L', server.name, '-f', '/dev/null'];
  return async (args, stdin) => {
    const { exitCode, stdout, stderrTail, errno } = await captureCommand({
      command,
      args: [...select, ...args],
      stdin: stdin === undefined ? undefined : Buffer.from(stdin),
      timeoutMs: TIMEOUT_MS,
    });
    if (exitCode === 0) return stdout.toString('utf8');
    const reason = errno ?? (stderrTail.trim() || `exit code ${exitCode}`);
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: `tmux ${args[0]} failed: ${reason}`,
      hint: 'Look whether the terminal of the session is still open.',
    });
  };
}

/** True for an error that says that the pane, or the whole server of tmux, is gone. Other errors may pass. */
export function isPaneGone(error: unknown): boolean {
  return /can't find (pane|window|session)|no server running|error connecting|server exited|lost server/.test(
    messageOf(error),
  );
}

/** Returns why tmux cannot be used on this machine; undefined if it can. */
export async function findTmuxProblem(command = 'tmux'): Promise<string | undefined> {
  const { exitCode, stdout } = await captureCommand({
    command,
    args: ['-V'],
    timeoutMs: TIMEOUT_MS,
  });
  const install = 'Install it, for example with apt install tmux or brew install tmux.';
  if (exitCode !== 0)
    return `tmux is not installed: sessions at the desk can only be watched. ${install}`;
  const [, major, minor] = /(\d+)\.(\d+)/.exec(stdout.toString()) ?? [];
  const [oldMajor, oldMinor] = OLDEST;
  const isOld =
    Number(major) < oldMajor || (Number(major) === oldMajor && Number(minor) < oldMinor);
  return isOld ? `tmux ${major}.${minor} is too old: 3.2 or newer is needed.` : undefined;
}

/** Throws INVALID_INPUT unless the socket of a tmux server belongs to this user. */
export async function assertOwnSocket(socket: string): Promise<void> {
  const stats = await lstat(socket).catch(() => undefined);
  if (stats?.isSocket() && (process.getuid === undefined || stats.uid === process.getuid())) return;
  throw new ProviderError({
    code: 'INVALID_INPUT',
    message: 'The socket of tmux does not belong to this user',
    hint: 'Start the session with `gemini-cli-provider remote run`.',
  });
}
