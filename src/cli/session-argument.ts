import { resolve } from 'node:path';
import type { Command } from 'commander';

/** Adds the argument of a command that reads one session, and the folder in which its project is looked up. */
export function addSessionArgument(command: Command): Command {
  return command
    .argument(
      '[session]',
      'Session id, its first eight characters, its number in the project, or "latest"',
    )
    .option('-C, --cwd <dir>', 'Folder of the project (default: the current folder)');
}

export function addExtrasFlag(command: Command): Command {
  return command.option(
    '--extras',
    "Include the CLI's own context, repeated tool answers and remarks, each marked",
  );
}

/** Returns the session or the path of its file. Ends the command with a message unless exactly one of them is given. */
export function readSessionArgument(
  command: Command,
  wanted: string | undefined,
  file: string | undefined,
): string {
  if (wanted !== undefined && file === undefined) return wanted;
  if (wanted === undefined && file !== undefined) return resolve(file);
  return command.error('error: give either a session or --file');
}
