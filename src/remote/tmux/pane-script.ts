import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shellWord } from './shell-word.js';

/** Exit codes of the CLI: it wants to be started again, and it does not know the session. */
const RESTART = 199;
const NO_SESSION = 42;
/**
 * Beginning of the window title that names the exit code when the CLI has ended: of about one in fifteen programs that end at once,
 * tmux 3.3 never tells the code itself.
 */
const EXIT_TITLE = 'exit ';

/** What runs in a pane. */
export interface PaneProgram {
  /** Variables of the program. Nothing else is in its environment but TMUX and TMUX_PANE. */
  readonly variables: Readonly<Record<string, string>>;
  /** The CLI: the program and its first arguments. */
  readonly command: readonly string[];
  /** Further arguments of the CLI. */
  readonly args: readonly string[];
  readonly cliSessionId: string;
  readonly isResumed: boolean;
}

/** A script in a private folder, which removes the folder as soon as a shell has opened it. */
export interface PaneScript {
  /** Command of the pane. TMUX and TMUX_PANE are known there alone, and the hooks need them. */
  readonly command: readonly string[];
  /** Removes the script if the pane could not be opened. */
  remove(): Promise<void>;
}

/** Clears the environment of the tmux server, and keeps the search path until the script has set its own. */
const START = 'exec env -i PATH="$PATH" TMUX="$TMUX" TMUX_PANE="$TMUX_PANE" sh "$0"';

/**
 * Writes the script of a pane. Arguments of a process can be read by every user of the machine, so the values of variables stand in
 * the script alone, which only this user can read.
 */
export async function writePaneScript(program: PaneProgram): Promise<PaneScript> {
  const folder = await mkdtemp(join(tmpdir(), 'gemini-cli-provider-pane-'));
  const file = join(folder, 'start.sh');
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await writeFile(file, renderPaneScript(program, folder), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    await remove();
    throw error;
  }
  return { command: ['sh', '-c', START, file], remove };
}

/** Returns the exit code that the title of a pane names. */
export function readExitTitle(title: string): number | undefined {
  const code = title.startsWith(EXIT_TITLE) ? title.slice(EXIT_TITLE.length) : '';
  return /^\d+$/.test(code) ? Number(code) : undefined;
}

/**
 * Returns the script that sh runs in the pane. A CLI that wants to be started again, for example after the question about
 * trust, exits with 199: it then resumes its session, or begins it if the CLI has no record of it yet. Exported for its test.
 */
export function renderPaneScript(program: PaneProgram, folder: string): string {
  const { variables, command, args, cliSessionId, isResumed } = program;
  const id = shellWord(cliSessionId);
  const begin = isResumed ? `run --resume ${id}` : `run --session-id ${id}`;
  const words = [...command.map(shellWord), '"$@"', ...args.map(shellWord)];
  return `${[
    `rm -rf -- ${shellWord(folder)}`,
    ...Object.entries(variables).map(([name, value]) => `export ${name}=${shellWord(value)}`),
    `run() { ${words.join(' ')}; }`,
    `${begin}; code=$?`,
    `while [ $code -eq ${RESTART} ]; do`,
    `run --resume ${id}; code=$?`,
    `if [ $code -eq ${NO_SESSION} ]; then ${begin}; code=$?; fi`,
    'done',
    `printf '\\033]2;${EXIT_TITLE}%d\\007' $code`,
    'exit $code',
  ].join('\n')}\n`;
}
