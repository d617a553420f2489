import type { AgentEvent } from '../api/agent-event.js';
import { createRunDirectory, type RunDirectory } from '../base/process/run-directory.js';
import type { PreparedPrompt } from './prompt/prepare-prompt.js';
import { concludeRun } from './conclude-run.js';
import { keepOrRemove } from './keep-or-remove.js';
import { meetExpectations } from './meet-expectations.js';
import { prepareStep } from './prepare-step.js';
import type { SettledRun, Step } from './step.js';
import { StepRecord } from './step-record.js';
import { type Talk, takeTurn } from './take-turn.js';
import type { Conversation } from '../agents/transport.js';

/** The life of one call: run, hear the witnesses, judge, check what is expected, and clean up whatever happened. */
export async function* runStep(step: Step): AsyncGenerator<AgentEvent, void> {
  const directory = await createRunDirectory();
  const conversation = step.openConversation(step.stage, step.signal);
  try {
    const run = yield* converse(step, conversation, directory);
    // Before the last event: who is slow to take it does not need the agent any more.
    conversation.close();
    yield* concludeRun(step, run);
  } finally {
    conversation.close();
    await directory.remove();
  }
}

async function* converse(
  step: Step,
  conversation: Conversation,
  directory: RunDirectory,
): AsyncGenerator<AgentEvent, SettledRun> {
  const { stage } = step;
  const prompt = await prepareStep(step, directory);
  const record = await StepRecord.begin(stage, prompt.warnings, step.signal);
  stage.logger.info({ runId: stage.runId, cli: stage.cli.location.path }, 'run starts');
  const run = yield* takeTurns({ step, conversation, record, directory }, prompt);
  const { messages } = record;
  if (messages !== undefined) yield { type: 'session-messages', messages };
  const kept = await keepOrRemove(stage, directory, record.outcomes);
  const { output } = run;
  const warnings = [...output.warnings, ...kept.warnings];
  const { durationMs } = record;
  return { ...run, output: { ...output, warnings, durationMs, artifactsDir: kept.folder } };
}

async function* takeTurns(
  talk: Talk,
  prompt: PreparedPrompt,
): AsyncGenerator<AgentEvent, SettledRun> {
  yield* takeTurn(talk, prompt);
  const run = await talk.record.settle();
  const { expects } = talk.step.stage.config;
  if (expects === undefined || !run.verdict.ok) return run;
  return yield* meetExpectations(talk, expects, run, prompt);
}
