import { randomUUID } from 'node:crypto';
import { ProviderError } from '../../base/errors/provider-error.js';
import { type Environment, readEnvironment } from '../../base/process/environment.js';
import { findHooksNote } from '../../remote/hooks/find-hooks-note.js';
import { startCliInTmux } from '../../remote/tmux/start-cli.js';
import { type FailedStart, watchStart } from '../../remote/tmux/watch-start.js';
import { geminiHomeOf } from '../../sessions/files/gemini-home.js';
import { readSessionId } from '../../sessions/files/session-head.js';
import { findSessionFile } from '../../sessions/list/find-session.js';
import { type Output, print } from '../output/output.js';
import { attachToTmux } from './remote-attach.js';
import { type RunArguments, readRunArguments } from './run-arguments.js';

export interface RunFlags {
  readonly detach?: boolean;
  readonly state?: string;
}

/** Starts the CLI in tmux and attaches this terminal to it. Returns the exit code. Throws a `ProviderError`. */
export async function runAtDesk(
  args: readonly string[],
  { detach = false, state }: RunFlags,
  output: Output,
): Promise<number> {
  const isTerminal = process.stdin.isTTY === true && output.stdout.terminal !== undefined;
  if (!(detach || isTerminal))
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: 'The command has no terminal to which tmux could attach',
      hint: 'Give --detach to start the CLI without attaching, and run `gemini-cli-provider remote attach` in a terminal.',
    });
  const environment = readEnvironment();
  const folder = process.cwd();
  const { rest, ...session } = readRunArguments(args);
  const cliSessionId = await findSession(session, folder, environment);
  const note = findHooksNote({ geminiHome: geminiHomeOf(environment), state });
  if (note !== undefined) await print(output.stderr, `Note: ${note}\n`);
  const isResumed = session.resumed !== undefined;
  const started = await startCliInTmux({
    ...{ folder, args: rest, cliSessionId, isResumed, environment, keepsScreen: true },
  });
  const watching = watchStart(started);
  if (detach) {
    const failed = await watching;
    if (failed !== undefined) return tellFailure(failed, output);
    await print(output.stdout, `${started.name}\n`);
    return 0;
  }
  const [exitCode, failed] = await Promise.all([attachToTmux(started.name), watching]);
  if (failed !== undefined) return tellFailure(failed, output);
  if (exitCode !== 0)
    await print(
      output.stderr,
      `The CLI goes on in tmux. Attach to it: gemini-cli-provider remote attach ${started.name}\n`,
    );
  return exitCode;
}

/**
 * Returns the id of the session. The CLI also takes `latest` or a number; a session that is not found is left to the CLI, which
 * says why it does not start.
 */
async function findSession(
  { newId, resumed }: Omit<RunArguments, 'rest'>,
  folder: string,
  environment: Environment,
): Promise<string> {
  if (resumed === undefined) return newId ?? randomUUID();
  const geminiHome = geminiHomeOf(environment);
  const file = await findSessionFile(resumed, { projectDir: folder, geminiHome });
  return (file === undefined ? undefined : readSessionId(file)) ?? resumed;
}

/** Prints what the CLI has said before it ended. The screen is gone with its pane. */
async function tellFailure({ text, exitCode }: FailedStart, output: Output): Promise<number> {
  await print(output.stderr, `${text}\n`);
  await print(output.stderr, `The CLI has ended at once, with exit code ${exitCode}.\n`);
  return exitCode;
}
