import { resolve } from 'node:path';
import type { Command } from 'commander';

/** Adds the argument of a command that reads one session, and the folder in which its project is looked up. */
export function addSessionArgument(command: Command): Command {
  return command
    .argument(
      '[session]',
      'Session id, its first eight characters, its number in the project, or "latest" (default)',
    )
    .option('-C, --cwd <dir>', 'Folder of the project (default: the current folder)');
}

export function addExtrasFlag(command: Command): Command {
  return command.option(
    '--extras',
    "Include the CLI's own context, repeated tool answers and remarks, each marked",
  );
}

/** The session that is meant if none is given. */
export const LATEST = 'latest';

/** Returns the session or the path of its file; the latest session if none is given. Two of them end the command. */
export function readSessionArgument(
  command: Command,
  wanted: string | undefined,
  file: string | undefined,
): string {
  if (file === undefined) return wanted ?? LATEST;
  if (wanted === undefined) return resolve(file);
  return command.error('error: give either a session or --file');
}
