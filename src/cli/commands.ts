import type { Command } from 'commander';
import type { Output } from './output/output.js';

type AddCommand = (program: Command, output: Output) => void;

/** Loaders of the commands, in the order of the help text. */
const COMMANDS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  run: async () => (await import('./run/run.js')).addRunCommand,
  batch: async () => (await import('./batch/batch.js')).addBatchCommand,
  worker: async () => (await import('./worker/worker.js')).addWorkerCommand,
  queue: async () => (await import('./queue/queue.js')).addQueueCommand,
  mcp: async () => (await import('./mcp/mcp.js')).addMcpCommand,
  remote: async () => (await import('./remote/remote.js')).addRemoteCommand,
  sessions: async () => (await import('./sessions/sessions.js')).addSessionsCommand,
  explain: async () => (await import('./explain/explain.js')).addExplainCommand,
  mock: async () => (await import('./mock/mock.js')).addMockCommand,
  record: async () => (await import('./mock/record.js')).addRecordCommand,
  doctor: async () => (await import('./doctor.js')).addDoctorCommand,
  completion: async () => (await import('./completion/completion.js')).addCompletionCommand,
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
