import type { AgentEvent } from '../../api/agent-event.js';
import type { AgentSession, TurnOutcome, TurnRequest } from '../driver.js';
import { featuresOf } from '../gemini/cli-features.js';
import type { ResolvedStep } from '../resolve-step.js';
import { runHeadlessTurn } from './headless-turn.js';

/** One process for each turn: `gemini -o stream-json`, the later ones with `--resume`. */
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
