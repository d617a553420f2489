import type { PreparedPrompt } from '../agents/driver.js';
import { failStopped } from '../agents/verdict/create-failure.js';
import type { Failure } from '../agents/verdict/verdict.js';
import type { AgentEvent } from '../api/agent-event.js';
import type { Expectations, MissingExpectation } from '../api/expectations.js';
import type { StepOutput } from '../api/result.js';
import { toProviderError } from '../base/errors/unexpected-error.js';
import { checkExpectations } from './expectations/check-expectations.js';
import type { CheckedOutput } from './expectations/check-output.js';
import { describeMissing } from './expectations/describe-missing.js';
import { failExpectations, summariseMissing } from './fail-expectations.js';
import { prepareRepair } from './prepare-step.js';
import { redactEvent } from './redact-step.js';
import { type StepContext, sendPrompt } from './send-prompt.js';
import type { EvaluatedStep } from './step.js';
import { addStepCost, checkMaxCost } from './step-cost.js';

/** Exit for verdicts that this module makes: the exit of the agent's process says nothing about them. */
const NO_EXIT = { stderr: '' };

/** Checks the expectations of a successful step. Asks the agent to repair what is missing, up to `repair` times. */
export async function* meetExpectations(
  context: StepContext,
  expects: Expectations,
  first: EvaluatedStep,
  firstPrompt: PreparedPrompt,
): AsyncGenerator<AgentEvent, EvaluatedStep> {
  const { step, history, clock } = context;
  const { repair } = step.resolved.config;
  for (let evaluated = first; ; ) {
    const checked = await checkInTime(context, expects, evaluated.output);
    if ('ok' in checked) return { ...evaluated, verdict: checked, exit: NO_EXIT };
    const { missing, results: expectations, data } = checked;
    evaluated = { ...evaluated, output: { ...evaluated.output, expectations } };
    if (missing.length === 0) return { ...evaluated, data };
    const obstacle = findObstacle(context, evaluated.output);
    if (typeof obstacle === 'object') return { ...evaluated, verdict: obstacle, exit: NO_EXIT };
    if (history.repairs >= repair || obstacle !== undefined) {
      const verdict = failExpectations(missing, { repairs: history.repairs, repair, obstacle });
      return { ...evaluated, verdict, exit: NO_EXIT };
    }
    if (expects.command !== undefined) {
      const { files } = evaluated.output;
      const failure = await clock.conclude(async (signal) => {
        return history.collectSideEffects(files, signal).then(
          () => undefined,
          (error: unknown) => (signal.aborted ? clock.failure : Promise.reject(error)),
        );
      });
      if (failure !== undefined) return { ...evaluated, verdict: failure, exit: NO_EXIT };
    }
    yield announceRepair(context, missing);
    evaluated = yield* repairOnce(context, missing, firstPrompt);
    if (!evaluated.verdict.ok) {
      return { ...evaluated, verdict: { ...evaluated.verdict, missing } };
    }
  }
}

/** Finds out why no further repair may be made: a sentence, or a failure if that cannot be decided. */
function findObstacle(
  { step, session, history }: StepContext,
  output: StepOutput,
): Failure | string | undefined {
  const { config } = step.resolved;
  if (history.repairs >= config.repair) return undefined;
  if (!session.canContinue()) return 'the session cannot be continued';
  return checkMaxCost(addStepCost(output, history.evaluatedTurns, config).cost, config.maxCost);
}

/** Runs the checks within the rest of the step's `timeout`. A TIMEOUT or CANCELLED failure is returned, not thrown. */
async function checkInTime(
  { step, history, clock }: StepContext,
  expects: Expectations,
  { text, files }: StepOutput,
): Promise<CheckedOutput | Failure> {
  const { workingDir, env, redactor, isolation } = step.resolved;
  const answers = history.evaluatedTurns.map(({ text: answer }) => answer);
  try {
    return await clock.check((signal) => {
      const subject = { text, answers, files, workingDir, env, redactor, isolation, signal };
      return checkExpectations(expects, subject);
    });
  } catch (error) {
    return toFailure(error, step.signal);
  }
}

function announceRepair(
  { step, history }: StepContext,
  missing: readonly MissingExpectation[],
): AgentEvent {
  const { config, redactor, logger } = step.resolved;
  const repair = history.repairs + 1;
  const message = `Repair ${repair} of ${config.repair}: ${summariseMissing(missing)}`;
  logger.info({ repair, missing: missing.length }, 'Repair starts');
  const event = { type: 'session-status', status: 'repairing', message, attempt: repair } as const;
  return redactEvent(event, redactor);
}

/** Takes one repair turn. If it throws, the output of the earlier turns is still returned. */
async function* repairOnce(
  context: StepContext,
  missing: readonly MissingExpectation[],
  firstPrompt: PreparedPrompt,
): AsyncGenerator<AgentEvent, EvaluatedStep> {
  const { step, history, directory, clock } = context;
  try {
    const text = describeMissing(missing);
    const prompt = await clock.check((signal) =>
      prepareRepair(step, directory, text, firstPrompt, signal),
    );
    yield* sendPrompt(context, prompt);
    return await history.evaluate();
  } catch (error) {
    const evaluated = await history.evaluate();
    return { ...evaluated, verdict: toFailure(error, step.signal), exit: NO_EXIT };
  }
}

function toFailure(error: unknown, signal: AbortSignal | undefined): Failure {
  if (signal?.aborted) return failStopped({ kind: 'cancelled' });
  const { code, message, hint, phase } = toProviderError(error);
  return { ok: false, code, message, hint, phase };
}
