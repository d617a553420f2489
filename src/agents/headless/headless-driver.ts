import { stripVTControlCharacters } from 'node:util';
import type { AgentEvent } from '../../api/agent-event.js';
import type { ResolvedConfig } from '../../config/resolve-config.js';
import type { AgentSession, TurnOutcome, TurnRequest } from '../driver.js';
import { featuresOf } from '../gemini/cli-features.js';
import type { ResolvedStep } from '../resolve-step.js';
import { describeHeadlessTurn } from './describe-headless-turn.js';
import { type HeadlessOutcome, runHeadlessTurn } from './headless-turn.js';
import { judgeHeadless } from './judge-headless.js';
import { mapUsage } from './map-event.js';

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
      const { prompt, directory, spentMs } = turn;
      const startedAtMs = performance.now();
      const outcome = yield* runHeadlessTurn({
        ...resolved,
        config: sessionId === undefined ? resolved.config : goOnIn(sessionId, resolved.config),
        cli: resolved.cli.location,
        cliVersion: resolved.cli.version,
        env:
          prompt.systemPromptFile === undefined
            ? resolved.env
            : { ...resolved.env, GEMINI_SYSTEM_MD: prompt.systemPromptFile },
        prompt,
        directory,
        signal,
        spentMs,
        observe: (event) => {
          if (event.type === 'session-init') sessionId = event.sessionId;
          return turn.observe(event);
        },
      });
      return toTransportOutcome(outcome, startedAtMs);
    },
  };
}

function goOnIn(resume: string, config: ResolvedConfig): ResolvedConfig {
  return { ...config, resume, sessionId: undefined };
}

export function toTransportOutcome(outcome: HeadlessOutcome, startedAtMs: number): TurnOutcome {
  const { end, terminal, noise } = outcome;
  return {
    transport: 'headless',
    startedAtMs,
    end,
    edits: [],
    call: { args: outcome.args },
    reportFiles: outcome.reportFiles,
    judge: ({ fold, witness, promptBytes, hasHooks }) =>
      judgeHeadless({
        ...end,
        stderr: stripVTControlCharacters(end.stderr),
        terminal,
        remarks: fold.remarks,
        toolCalls: fold.toolCalls,
        wireEvents: outcome.wireEvents,
        foreignLines: outcome.foreignLines,
        isTorn: outcome.isTorn,
        endsWithTool: fold.endsWithTool,
        promptBytes,
        hasHooks,
        witness: witness?.lastTurn,
      }),
    usageOf: (witness) => {
      const reported = terminal?.stats ? mapUsage(terminal.stats) : undefined;
      return reported !== undefined && reported.total > 0 ? reported : (witness?.usage ?? reported);
    },
    warningsOf: ({ remarks }) => [
      ...outcome.warnings,
      ...describeHeadlessTurn({ ...end, noise, remarks }),
    ],
  };
}
