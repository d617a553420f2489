import type { Command } from 'commander';
import type { Output } from './output.js';

type AddCommand = (program: Command, output: Output) => void;

/** Loaders of the commands, in the order of the help text. */
const COMMANDS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  run: async () => (await import('./run.js')).addRunCommand,
  batch: async () => (await import('./batch.js')).addBatchCommand,
  worker: async () => (await import('./worker.js')).addWorkerCommand,
  queue: async () => (await import('./queue.js')).addQueueCommand,
  mcp: async () => (await import('./mcp.js')).addMcpCommand,
  remote: async () => (await import('./remote.js')).addRemoteCommand,
  sessions: async () => (await import('./sessions.js')).addSessionsCommand,
  explain: async () => (await import('./explain.js')).addExplainCommand,
  mock: async () => (await import('./mock.js')).addMockCommand,
  record: async () => (await import('./record.js')).addRecordCommand,
  doctor: async () => (await import('./doctor.js')).addDoctorCommand,
  completion: async () => (await import('./completion.js')).addCompletionCommand,
};

/** Adds the called command, or all commands for the help text and for `completion`: some load in a third of the time that all of them take. */
export async function addCommands(
  program: Command,
  output: Output,
  called: string | undefined,
): Promise<void> {
  const one = Object.entries(COMMANDS).filter(([name]) => name === called && name !== 'completion');
  for (const [, load] of one.length > 0 ? one : Object.entries(COMMANDS)) {
    const add = await load();
    add(program, output);
  }
}
