import type { AgentEvent } from '../../api/agent-event.js';
import type { AgentSession, TurnOutcome, TurnRequest } from '../driver.js';
import { featuresOf } from '../gemini/cli-features.js';
import type { ResolvedStep } from '../resolve-step.js';
import { runHeadlessTurn } from './headless-turn.js';

/** Opens a session that starts `gemini -o stream-json` for each turn, with `--resume` from the second turn on. */
export function openHeadlessSession(
  resolved: ResolvedStep,
  signal: AbortSignal | undefined,
): AgentSession {
  let sessionId: string | undefined;
  return {
    canContinue: () => sessionId !== undefined && featuresOf(resolved.cli.version).resume,
    close: () => {},
    prompt: async function* (turn: TurnRequest): AsyncGenerator<AgentEvent, TurnOutcome> {
      const outcome = yield* runHeadlessTurn(resolved, turn, { sessionId, signal });
      sessionId = turn.fold.sessionId ?? sessionId;
      return outcome;
    },
  };
}
