import { join } from 'node:path';
import type { AgentEvent } from '../api/agent-event.js';
import type { RunDirectory } from '../base/process/run-directory.js';
import type { PreparedPrompt } from './prompt/prepare-prompt.js';
import { skipSessionInit } from './skip-session-init.js';
import type { Step } from './step.js';
import type { StepRecord } from './step-record.js';
import type { Conversation } from '../agents/transport.js';

/** A step under way. */
export interface Talk {
  readonly step: Step;
  readonly conversation: Conversation;
  readonly record: StepRecord;
  readonly directory: RunDirectory;
}

/** Says one thing to the agent, and takes down what comes of it. */
export async function* takeTurn(
  { step, conversation, record, directory }: Talk,
  prompt: PreparedPrompt,
): AsyncGenerator<AgentEvent, void> {
  const { expects, repair } = step.stage.config;
  const number = record.outcomes.length;
  const turn = record.beginTurn(Buffer.byteLength(prompt.text));
  const events = conversation.say({
    prompt,
    directory: number === 0 ? directory : nameAfterRepair(directory, number),
    spentMs: record.spentMs,
    mayGoOn: expects !== undefined && number < repair,
    observe: (event) => record.observe(turn, event),
  });
  const outcome = yield* number === 0 ? events : skipSessionInit(events);
  await record.endTurn(turn, outcome);
}

/** So that the files of the turns before are still there to be kept. */
function nameAfterRepair({ path, clear }: RunDirectory, number: number) {
  const rename = (name: string): string => `repair-${number}-${name}`;
  return {
    file: (name: string) => join(path, rename(name)),
    clear: (names: readonly string[]) => clear(names.map(rename)),
  };
}
