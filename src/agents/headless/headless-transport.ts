import { stripVTControlCharacters } from 'node:util';
import type { ResolvedConfig } from '../../config/resolve-config.js';
import type { AgentEvent } from '../../api/agent-event.js';
import { describeRun } from './describe-run.js';
import { type HeadlessOutcome, runHeadless } from './headless-run.js';
import { judge } from './judge.js';
import { mapUsage } from './map-event.js';
import { featuresOf } from '../gemini/cli-features.js';
import type { Stage } from '../stage.js';
import type { Conversation, TransportOutcome, TurnRequest } from '../transport.js';

/** One process for each turn: `gemini -o stream-json`, the later ones with `--resume`. */
export function converseHeadless(stage: Stage, signal: AbortSignal | undefined): Conversation {
  let sessionId: string | undefined;
  return {
    canGoOn: () => sessionId !== undefined && featuresOf(stage.cli.version).resume,
    close: () => {},
    say: async function* (turn: TurnRequest): AsyncGenerator<AgentEvent, TransportOutcome> {
      const { prompt, directory, spentMs } = turn;
      const startedAtMs = performance.now();
      const outcome = yield* runHeadless({
        ...stage,
        config: sessionId === undefined ? stage.config : goOnIn(sessionId, stage.config),
        cli: stage.cli.location,
        cliVersion: stage.cli.version,
        env:
          prompt.systemPromptFile === undefined
            ? stage.env
            : { ...stage.env, GEMINI_SYSTEM_MD: prompt.systemPromptFile },
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

export function toTransportOutcome(
  outcome: HeadlessOutcome,
  startedAtMs: number,
): TransportOutcome {
  const { end, terminal, noise } = outcome;
  return {
    transport: 'headless',
    startedAtMs,
    end,
    edits: [],
    call: { args: outcome.args },
    reportFiles: outcome.reportFiles,
    judge: ({ fold, witness, promptBytes, hasHooks }) =>
      judge({
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
    warningsOf: ({ remarks }) => [...outcome.warnings, ...describeRun({ ...end, noise, remarks })],
  };
}
