import type { AgentSession, PreparedPrompt } from '../agents/driver.js';
import type { AgentEvent } from '../api/agent-event.js';
import {
  createPrivateDirectory,
  type PrivateDirectory,
} from '../base/process/private-directory.js';
import { concludeStep } from './conclude-step.js';
import { finishArtifacts } from './finish-artifacts.js';
import { meetExpectations } from './meet-expectations.js';
import { prepareStep } from './prepare-step.js';
import { type StepContext, sendPrompt } from './send-prompt.js';
import type { EvaluatedStep, Step } from './step.js';
import { StepHistory } from './step-history.js';

/** The life of one call: run, hear the witnesses, judge, check what is expected, and clean up whatever happened. */
export async function* runStep(step: Step): AsyncGenerator<AgentEvent, void> {
  const directory = await createPrivateDirectory();
  const conversation = step.openSession(step.resolved, step.signal);
  try {
    const run = yield* converse(step, conversation, directory);
    // Before the last event: who is slow to take it does not need the agent any more.
    conversation.close();
    yield* concludeStep(step, run);
  } finally {
    conversation.close();
    await directory.remove();
  }
}

async function* converse(
  step: Step,
  conversation: AgentSession,
  directory: PrivateDirectory,
): AsyncGenerator<AgentEvent, EvaluatedStep> {
  const { resolved } = step;
  const prompt = await prepareStep(step, directory);
  const record = await StepHistory.begin(resolved, prompt.warnings, step.signal);
  resolved.logger.info(
    { generationId: resolved.generationId, cli: resolved.cli.location.path },
    'run starts',
  );
  const run = yield* takeTurns({ step, session: conversation, history: record, directory }, prompt);
  const { messages } = record;
  if (messages !== undefined) yield { type: 'session-messages', messages };
  const kept = await finishArtifacts(resolved, directory, record.outcomes);
  const { output } = run;
  const warnings = [...output.warnings, ...kept.warnings];
  const { durationMs } = record;
  return { ...run, output: { ...output, warnings, durationMs, artifactsDir: kept.folder } };
}

async function* takeTurns(
  talk: StepContext,
  prompt: PreparedPrompt,
): AsyncGenerator<AgentEvent, EvaluatedStep> {
  yield* sendPrompt(talk, prompt);
  const run = await talk.history.evaluate();
  const { expects } = talk.step.resolved.config;
  if (expects === undefined || !run.verdict.ok) return run;
  return yield* meetExpectations(talk, expects, run, prompt);
}
