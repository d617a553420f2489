import { stripVTControlCharacters } from 'node:util';
import type { AgentEvent } from '../contract/agent-event.js';
import { describeRun } from '../headless/describe-run.js';
import { type HeadlessOutcome, runHeadless } from '../headless/headless-run.js';
import { judge } from '../headless/judge.js';
import { mapUsage } from '../headless/map-event.js';
import type { TransportOutcome, TransportRequest } from './transport.js';

/** One process for each step: `gemini -o stream-json`. */
export async function* runOverHeadless(
  request: TransportRequest,
): AsyncGenerator<AgentEvent, TransportOutcome> {
  const { stage, prompt } = request;
  const outcome = yield* runHeadless({
    ...stage,
    cli: stage.cli.location,
    cliVersion: stage.cli.version,
    env:
      prompt.systemPromptFile === undefined
        ? stage.env
        : { ...stage.env, GEMINI_SYSTEM_MD: prompt.systemPromptFile },
    prompt,
    directory: request.directory,
    signal: request.signal,
    observe: request.observe,
  });
  return toTransportOutcome(outcome);
}

export function toTransportOutcome(outcome: HeadlessOutcome): TransportOutcome {
  const { end, terminal, noise } = outcome;
  return {
    transport: 'headless',
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
