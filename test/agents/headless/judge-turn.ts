import type { ToolCall } from '../../../src/agents/events/turn-fold.js';
import type { HeadlessFacts } from '../../../src/agents/headless/headless-facts.js';
import type { WireResult } from '../../../src/agents/headless/headless-wire.js';
import { judgeHeadless } from '../../../src/agents/headless/judge-headless.js';
import type { Verdict, VerdictEvidence } from '../../../src/agents/verdict/verdict.js';

/** Facts and evidence of a turn in one object, for tests. */
export type Facts = Partial<HeadlessFacts> &
  Partial<VerdictEvidence['fold']> &
  Omit<Partial<VerdictEvidence>, 'fold' | 'session'> & {
    /** State of the last turn in the session file. */
    readonly lastTurn?: 'answered' | 'unanswered';
  };

export const OK = { ok: true, recovered: false };

export const SUCCESS: WireResult = {
  type: 'result',
  status: 'success',
  stats: { total_tokens: 10, models: { m: { total_tokens: 10 } } },
};
/** Result of a CLI that has made no request. */
export const SILENCE: WireResult = {
  type: 'result',
  status: 'success',
  stats: { total_tokens: 0, models: {} },
};
/** Result of a CLI after an unusable answer. */
export const FAILURE: WireResult = { type: 'result', status: 'error' };

export const DONE: ToolCall = { id: '1', name: 'glob', input: {}, outcome: 'completed' };
export const PENDING: ToolCall = { id: '2', name: 'glob', input: {}, outcome: 'pending' };

export function failedWith(type: string): ToolCall {
  const error = { type, message: 'm' };
  return { id: '3', name: 'write_file', input: {}, outcome: 'failed', error };
}

export function resultError(type: string, message: string): WireResult {
  return { type: 'result', status: 'error', error: { type, message } };
}

/** Judges a turn that ended with exit 0 and nothing else, except for the given facts. */
export function judgeTurn({
  text = '',
  remarks = [],
  toolCalls = [],
  endsWithTool = false,
  promptBytes,
  hasHooks,
  lastTurn,
  ...facts
}: Facts): Verdict {
  return judgeHeadless(
    { exitCode: 0, stderr: '', wireEvents: 5, foreignLines: 0, ...facts },
    {
      fold: { text, remarks, toolCalls, endsWithTool },
      session: lastTurn && { lastTurn },
      promptBytes,
      hasHooks,
    },
  );
}
