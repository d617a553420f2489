import type { AgentEvent } from '../api/agent-event.js';
import type { Expectations, MissingExpectation } from '../api/expectations.js';
import type { RunOutput } from '../api/result.js';
import { failOwnEnd } from '../agents/verdict/failures.js';
import type { Failure } from '../agents/verdict/verdict.js';
import { type CheckedExpectations, checkExpectations } from './expectations/check-expectations.js';
import { describeMissing } from './expectations/describe-missing.js';
import type { PreparedPrompt } from './prompt/prepare-prompt.js';
import { failExpectations, summariseMissing } from './fail-expectations.js';
import { prepareRepair } from './prepare-step.js';
import { redactEvent } from './redact-run.js';
import type { SettledRun } from './step.js';
import { type Talk, takeTurn } from './take-turn.js';
import { toProviderError } from '../base/errors/unexpected-error.js';

/** Where the verdict is ours, the way in which the agent's process went says nothing. */
const NO_END = { stderr: '' };

/** Checks what is expected of a run that ended well, and has the agent mend what is missing, as often as it may. */
export async function* meetExpectations(
  talk: Talk,
  expects: Expectations,
  first: SettledRun,
  firstPrompt: PreparedPrompt,
): AsyncGenerator<AgentEvent, SettledRun> {
  const { step, conversation, record } = talk;
  const { repair } = step.stage.config;
  for (let run = first; ; ) {
    const checked = await checkInTime(talk, expects, run.output);
    if ('ok' in checked) return { ...run, verdict: checked, end: NO_END };
    const { missing, data } = checked;
    if (missing.length === 0) return { ...run, data };
    const canGoOn = conversation.canGoOn();
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
  { step, record }: Talk,
  expects: Expectations,
  output: RunOutput,
): Promise<CheckedExpectations | Failure> {
  const { stage, signal: caller } = step;
  const { timeoutMs } = stage.config;
  const clock = new AbortController();
  const timer = setTimeout(() => clock.abort(), Math.max(0, timeoutMs - record.spentMs));
  const signal = AbortSignal.any([clock.signal, ...(caller === undefined ? [] : [caller])]);
  try {
    const { text, files } = output;
    const { workingDir, env } = stage;
    const { answers } = record;
    return await checkExpectations(expects, { text, answers, files, workingDir, env, signal });
  } catch (error) {
    const isLate = clock.signal.aborted && !caller?.aborted;
    if (isLate) return failOwnEnd({ kind: 'timeout', phase: 'total', limitMs: timeoutMs });
    return toFailure(error, caller);
  } finally {
    clearTimeout(timer);
  }
}

function announceRepair(
  { step, record }: Talk,
  missing: readonly MissingExpectation[],
): AgentEvent {
  const { config, redactor, runId, logger } = step.stage;
  const attempt = record.repairs + 1;
  const message = `Repair ${attempt} of ${config.repair}: ${summariseMissing(missing)}`;
  logger.info({ runId, attempt, missing: missing.length }, 'repair starts');
  const event = { type: 'session-status', status: 'repairing', message, attempt } as const;
  return redactEvent(event, redactor);
}

/** One more turn. Whatever becomes of it, what was there before it is kept. */
async function* mend(
  talk: Talk,
  missing: readonly MissingExpectation[],
  firstPrompt: PreparedPrompt,
): AsyncGenerator<AgentEvent, SettledRun> {
  const { step, record, directory } = talk;
  try {
    const text = describeMissing(missing);
    yield* takeTurn(talk, await prepareRepair(step, directory, text, firstPrompt));
    return await record.settle();
  } catch (error) {
    const { output } = await record.settle();
    return { verdict: toFailure(error, step.signal), output, end: NO_END };
  }
}

function toFailure(error: unknown, signal: AbortSignal | undefined): Failure {
  if (signal?.aborted) return failOwnEnd({ kind: 'cancelled' });
  const { code, message, hint } = toProviderError(error);
  return { ok: false, code, message, hint };
}
