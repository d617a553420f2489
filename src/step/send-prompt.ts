import { join } from 'node:path';
import type { AgentSession, PreparedPrompt } from '../agents/driver.js';
import type { AgentEvent } from '../api/agent-event.js';
import type { PrivateDirectory } from '../base/process/private-directory.js';
import { skipSessionInit } from './skip-session-init.js';
import type { Step } from './step.js';
import type { StepHistory } from './step-history.js';

/** A step under way. */
export interface StepContext {
  readonly step: Step;
  readonly session: AgentSession;
  readonly history: StepHistory;
  readonly directory: PrivateDirectory;
}

/** Says one thing to the agent, and takes down what comes of it. */
export async function* sendPrompt(
  { step, session: conversation, history: record, directory }: StepContext,
  prompt: PreparedPrompt,
): AsyncGenerator<AgentEvent, void> {
  const { expects, repair } = step.resolved.config;
  const number = record.outcomes.length;
  const turn = record.beginTurn(Buffer.byteLength(prompt.text));
  const events = conversation.prompt({
    prompt,
    directory: number === 0 ? directory : nameAfterRepair(directory, number),
    spentMs: record.spentMs,
    mayContinue: expects !== undefined && number < repair,
    observe: (event) => record.observe(turn, event),
  });
  const outcome = yield* number === 0 ? events : skipSessionInit(events);
  await record.endTurn(turn, outcome);
}

/** So that the files of the turns before are still there to be kept. */
function nameAfterRepair({ path, clear }: PrivateDirectory, number: number) {
  const rename = (name: string): string => `repair-${number}-${name}`;
  return {
    file: (name: string) => join(path, rename(name)),
    clear: (names: readonly string[]) => clear(names.map(rename)),
  };
}
