import type { Command } from 'commander';
import type { Output } from './output.js';

type AddCommand = (program: Command, output: Output) => void;

/** In the order in which they stand in the help. */
const COMMANDS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  run: async () => (await import('./run.js')).addRunCommand,
  batch: async () => (await import('./batch.js')).addBatchCommand,
  sessions: async () => (await import('./sessions.js')).addSessionsCommand,
  explain: async () => (await import('./explain.js')).addExplainCommand,
  doctor: async () => (await import('./doctor.js')).addDoctorCommand,
};

/** Only the command that is called, where one is: some load in a third of the time that all of them take. */
export async function addCommands(
  program: Command,
  output: Output,
  called: string | undefined,
): Promise<void> {
  const one = Object.entries(COMMANDS).filter(([name]) => name === called);
  for (const [, load] of one.length > 0 ? one : Object.entries(COMMANDS)) {
    const add = await load();
    add(program, output);
  }
}
