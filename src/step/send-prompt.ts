import { join } from 'node:path';
import type { AgentSession, PreparedPrompt } from '../agents/driver.js';
import type { AgentEvent } from '../api/agent-event.js';
import type { PrivateDirectory } from '../base/process/private-directory.js';
import type { LiveProgress } from './live-progress.js';
import { stampEvent } from './stamp-event.js';
import type { Step } from './step.js';
import type { StepClock } from './step-clock.js';
import type { StepHistory } from './step-history.js';
import { logEvent, logTurn } from './step-log.js';

/** Objects that belong to one running step. */
export interface StepContext {
  readonly step: Step;
  readonly session: AgentSession;
  readonly history: StepHistory;
  readonly directory: PrivateDirectory;
  readonly clock: StepClock;
  readonly progress: LiveProgress;
}

/** Takes one turn: sends a prompt to the agent and adds the outcome to the history. */
export async function* sendPrompt(
  { step, session, history, directory, clock, progress }: StepContext,
  prompt: PreparedPrompt,
): AsyncGenerator<AgentEvent, void> {
  const { config, logger } = step.resolved;
  const { expects, repair } = config;
  const number = history.outcomes.length;
  const turn = history.beginTurn(Buffer.byteLength(prompt.text));
  const events = session.prompt({
    prompt,
    directory: number === 0 ? directory : prefixWithRepair(directory, number),
    spentMs: clock.spentMs,
    mayContinue: expects !== undefined && number < repair,
    fold: turn.fold,
    observe: (event) => {
      logEvent(logger, event);
      return history.observe(turn, stampEvent(event));
    },
  });
  const wanted = number === 0 ? events : skipSessionInit(events);
  const outcome = yield* progress.follow(wanted, () => turn.fold.sessionId);
  logTurn(logger, outcome, await history.endTurn(turn, outcome));
}

/** Drops `session-init`, which the first turn has already reported. Exported for its test. */
export async function* skipSessionInit<Outcome>(
  events: AsyncIterator<AgentEvent, Outcome>,
): AsyncGenerator<AgentEvent, Outcome> {
  try {
    for (;;) {
      const next = await events.next();
      if (next.done) return next.value;
      if (next.value.type !== 'session-init') yield next.value;
    }
  } finally {
    await events.return?.();
  }
}

/** Puts `repair-<number>-` before file names, so that the files of earlier turns are not overwritten. */
function prefixWithRepair({ path, clear }: PrivateDirectory, number: number) {
  const addPrefix = (name: string): string => `repair-${number}-${name}`;
  return {
    file: (name: string) => join(path, addPrefix(name)),
    clear: (names: readonly string[]) => clear(names.map(addPrefix)),
  };
}
