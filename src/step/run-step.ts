import type { AgentSession, PreparedPrompt } from '../agents/driver.js';
import type { AgentEvent } from '../api/agent-event.js';
import type { StepOutput } from '../api/result.js';
import {
  createPrivateDirectory,
  type PrivateDirectory,
} from '../base/process/private-directory.js';
import { concludeStep } from './conclude-step.js';
import { finishArtifacts } from './finish-artifacts.js';
import { LiveProgress } from './live-progress.js';
import { meetExpectations } from './meet-expectations.js';
import { prepareStep } from './prepare-step.js';
import { type StepContext, sendPrompt } from './send-prompt.js';
import type { EvaluatedStep, Step } from './step.js';
import { StepClock } from './step-clock.js';
import { addStepCost } from './step-cost.js';
import { StepHistory } from './step-history.js';
import { logStart } from './step-log.js';
import { WallClockMark } from './wall-clock-mark.js';

/** Runs one step: turns, evidence, verdict, expectations, artifacts. Always closes the session and removes its files. */
export async function* runStep(step: Step): AsyncGenerator<AgentEvent, void> {
  const directory = await createPrivateDirectory();
  const session = step.openSession(step.resolved, step.signal);
  try {
    const evaluated = yield* evaluateStep(step, session, directory);
    // Close before the last event: a slow caller must not hold the process or the pool slot.
    session.close();
    // The session is where the caller looks for it before the caller gets its id.
    await step.settleSession?.(evaluated.verdict.ok);
    yield* concludeStep(step, evaluated);
  } finally {
    session.close();
    await step.settleSession?.(false);
    await directory.remove();
  }
}

async function* evaluateStep(
  step: Step,
  session: AgentSession,
  directory: PrivateDirectory,
): AsyncGenerator<AgentEvent, EvaluatedStep> {
  const { resolved } = step;
  const clock = new StepClock(resolved.config.timeoutMs, step.signal);
  const { prompt, history } = await clock.prepare(async (signal) => {
    const prompt = await prepareStep(step, directory, signal);
    return {
      prompt,
      history: await StepHistory.begin({ ...step, clock }, prompt.warnings, signal),
    };
  });
  const progress = new LiveProgress(step, new WallClockMark());
  let evaluated: EvaluatedStep;
  try {
    logStart(resolved);
    evaluated = yield* takeTurns({ step, session, history, directory, clock, progress }, prompt);
  } finally {
    await progress.close();
    await history.close();
  }
  const { messages } = history;
  if (messages !== undefined) yield { type: 'session-messages', messages };
  const kept = await clock.conclude((signal) =>
    finishArtifacts(resolved, directory, history.outcomes, signal),
  );
  const seen = evaluated.verdict.ok ? evaluated.output : addSeenUsage(evaluated.output, progress);
  const output = addStepCost(seen, history.evaluatedTurns, resolved.config);
  const warnings = [...output.warnings, ...kept.warnings];
  const { durationMs } = history;
  return { ...evaluated, output: { ...output, warnings, durationMs, artifactsDir: kept.folder } };
}

/**
 * Adds the usage that was seen while a failed step ran. Over ACP the Gemini CLI rewrites the session file when a turn is
 * cancelled, and neither the file nor the answer has the tokens then.
 */
function addSeenUsage(output: StepOutput, { usage }: LiveProgress): StepOutput {
  const isMore = usage !== undefined && usage.total > (output.usage?.total ?? 0);
  return isMore ? { ...output, usage, recovered: true } : output;
}

async function* takeTurns(
  context: StepContext,
  prompt: PreparedPrompt,
): AsyncGenerator<AgentEvent, EvaluatedStep> {
  yield* sendPrompt(context, prompt);
  const evaluated = await context.history.evaluate();
  const { expects } = context.step.resolved.config;
  if (expects === undefined || !evaluated.verdict.ok) return evaluated;
  return yield* meetExpectations(context, expects, evaluated, prompt);
}
