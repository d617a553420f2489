import type { PreparedPrompt } from '../agents/driver.js';
import { failStopped } from '../agents/verdict/create-failure.js';
import type { Failure } from '../agents/verdict/verdict.js';
import type { AgentEvent } from '../api/agent-event.js';
import type { Expectations, MissingExpectation } from '../api/expectations.js';
import type { StepOutput } from '../api/result.js';
import { toProviderError } from '../base/errors/unexpected-error.js';
import { type CheckedExpectations, checkExpectations } from './expectations/check-expectations.js';
import { describeMissing } from './expectations/describe-missing.js';
import { failExpectations, summariseMissing } from './fail-expectations.js';
import { prepareRepair } from './prepare-step.js';
import { redactEvent } from './redact-step.js';
import { type StepContext, sendPrompt } from './send-prompt.js';
import type { EvaluatedStep } from './step.js';

/** Where the verdict is ours, the way in which the agent's process went says nothing. */
const NO_END = { stderr: '' };

/** Checks what is expected of a run that ended well, and has the agent mend what is missing, as often as it may. */
export async function* meetExpectations(
  talk: StepContext,
  expects: Expectations,
  first: EvaluatedStep,
  firstPrompt: PreparedPrompt,
): AsyncGenerator<AgentEvent, EvaluatedStep> {
  const { step, session: conversation, history: record } = talk;
  const { repair } = step.resolved.config;
  for (let run = first; ; ) {
    const checked = await checkInTime(talk, expects, run.output);
    if ('ok' in checked) return { ...run, verdict: checked, end: NO_END };
    const { missing, data } = checked;
    if (missing.length === 0) return { ...run, data };
    const canGoOn = conversation.canContinue();
    if (record.repairs >= repair || !canGoOn) {
      const verdict = failExpectations(missing, { repairs: record.repairs, repair, canGoOn });
      return { ...run, verdict, end: NO_END };
    }
    if (expects.command !== undefined) await record.noteChecks(run.output.files);
    yield announceRepair(talk, missing);
    run = yield* mend(talk, missing, firstPrompt);
    if (!run.verdict.ok) return { ...run, verdict: { ...run.verdict, missing } };
  }
}

/** What was found, or what came before: the time of the step goes on during a check. */
async function checkInTime(
  { step, history: record }: StepContext,
  expects: Expectations,
  output: StepOutput,
): Promise<CheckedExpectations | Failure> {
  const { resolved, signal: caller } = step;
  const { timeoutMs } = resolved.config;
  const clock = new AbortController();
  const timer = setTimeout(() => clock.abort(), Math.max(0, timeoutMs - record.spentMs));
  const signal = AbortSignal.any([clock.signal, ...(caller === undefined ? [] : [caller])]);
  try {
    const { text, files } = output;
    const { workingDir, env } = resolved;
    const { answers } = record;
    return await checkExpectations(expects, { text, answers, files, workingDir, env, signal });
  } catch (error) {
    const isLate = clock.signal.aborted && !caller?.aborted;
    if (isLate) return failStopped({ kind: 'timeout', phase: 'total', limitMs: timeoutMs });
    return toFailure(error, caller);
  } finally {
    clearTimeout(timer);
  }
}

function announceRepair(
  { step, history: record }: StepContext,
  missing: readonly MissingExpectation[],
): AgentEvent {
  const { config, redactor, generationId, logger } = step.resolved;
  const attempt = record.repairs + 1;
  const message = `Repair ${attempt} of ${config.repair}: ${summariseMissing(missing)}`;
  logger.info({ generationId, attempt, missing: missing.length }, 'repair starts');
  const event = { type: 'session-status', status: 'repairing', message, attempt } as const;
  return redactEvent(event, redactor);
}

/** One more turn. Whatever becomes of it, what was there before it is kept. */
async function* mend(
  talk: StepContext,
  missing: readonly MissingExpectation[],
  firstPrompt: PreparedPrompt,
): AsyncGenerator<AgentEvent, EvaluatedStep> {
  const { step, history: record, directory } = talk;
  try {
    const text = describeMissing(missing);
    yield* sendPrompt(talk, await prepareRepair(step, directory, text, firstPrompt));
    return await record.evaluate();
  } catch (error) {
    const { output } = await record.evaluate();
    return { verdict: toFailure(error, step.signal), output, end: NO_END };
  }
}

function toFailure(error: unknown, signal: AbortSignal | undefined): Failure {
  if (signal?.aborted) return failStopped({ kind: 'cancelled' });
  const { code, message, hint } = toProviderError(error);
  return { ok: false, code, message, hint };
}
