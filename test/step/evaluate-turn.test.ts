import { describe, expect, it } from 'vitest';
import { TurnFold } from '../../src/agents/events/turn-fold.js';
import { toTransportOutcome } from '../../src/agents/headless/headless-driver.js';
import type { HeadlessOutcome } from '../../src/agents/headless/headless-turn.js';
import type { AgentEvent } from '../../src/api/agent-event.js';
import type { SessionEvidence } from '../../src/sessions/files/read-session-evidence.js';
import { evaluateTurn, type TurnEvidence } from '../../src/step/evaluate-turn.js';

const OUTCOME: HeadlessOutcome = {
  end: { exitCode: 0, stderr: '' },
  terminal: { type: 'result', status: 'success', stats: { total_tokens: 5, models: { m: {} } } },
  wireEvents: 3,
  isTorn: false,
  noise: { nonJsonLines: 0, overlongLines: 0, unknownEvents: 0, invalidEvents: 0, samples: {} },
  foreignLines: 0,
  showsTools: true,
  args: [],
  warnings: [],
  reportFiles: [],
};
const WITNESS: SessionEvidence = {
  messages: [],
  answers: ['said'],
  lastTurn: 'answered',
  usage: { total: 7, input: 6, output: 1, cached: 0, models: {}, toolCalls: 0 },
  edits: [],
  promptParts: ['the prompt'],
  refusedCalls: [],
};

const say = (text: string): AgentEvent => ({ type: 'text-delta', text, textKind: 'text' });

type More = Partial<Omit<TurnEvidence, 'outcome'> & { outcome: HeadlessOutcome }>;

function settle(events: readonly AgentEvent[], { outcome = OUTCOME, ...more }: More = {}) {
  const fold = new TurnFold();
  for (const event of events) fold.accept(event);
  return evaluateTurn({
    fold,
    outcome: toTransportOutcome(outcome, 0),
    witness: undefined,
    settings: { expandAt: false, promptBytes: 10, isResumed: false, hasHooks: true },
    ...more,
  });
}

describe('a turn with all its witnesses', () => {
  it('is what they agree on', () => {
    const init: AgentEvent = { type: 'session-init', sessionId: 'told', model: 'm' };
    expect(settle([init, say('said ')], { witness: WITNESS })).toEqual({
      verdict: { ok: true, recovered: false },
      text: 'said ',
      deniedTools: [],
      warnings: [],
      usage: {
        total: 5,
        input: 0,
        output: 0,
        cached: 0,
        models: { m: expect.anything() },
        toolCalls: 0,
      },
      recovered: false,
    });
  });

  it('takes text and usage from the session file where the stream was cut off', () => {
    const outcome = { ...OUTCOME, terminal: undefined, isTorn: true };
    const output = settle([say('sa')], { outcome, witness: WITNESS });
    expect(output.verdict).toEqual({ ok: true, recovered: true });
    expect(output).toMatchObject({ text: 'said', usage: { total: 7 }, recovered: true });
    expect(output.warnings).toMatchObject([{ code: 'RECOVERED' }]);
  });

  it('takes the last version of a text that was said twice', () => {
    const output = settle([say('saidsaid')], { witness: WITNESS });
    expect(output).toMatchObject({ text: 'said', recovered: false });
    expect(output.warnings).toMatchObject([{ code: 'TEXT_REPAIRED' }]);
  });

  it('says that the CLI has added to the prompt, unless it was to do so', () => {
    const witness = { ...WITNESS, promptParts: ['the prompt', 'a file'] };
    expect(settle([say('said')], { witness }).warnings).toMatchObject([
      { code: 'PROMPT_EXPANDED' },
    ]);
    const settings = { expandAt: true, promptBytes: 10, isResumed: false, hasHooks: true };
    expect(settle([say('said')], { witness, settings }).warnings).toEqual([]);
  });

  it('collects the warnings of the process before those of its stream', () => {
    const outcome: HeadlessOutcome = {
      ...OUTCOME,
      end: { ...OUTCOME.end, endedAfterResult: true },
      noise: { ...OUTCOME.noise, nonJsonLines: 1 },
      warnings: [{ code: 'PROCESSES_LEFT', message: 'left' }],
    };
    const remark: AgentEvent = { type: 'session-status', status: 'warning', message: 'mind this' };
    const { warnings } = settle([remark], { outcome });
    expect(warnings.map(({ code }) => code)).toEqual([
      'PROCESSES_LEFT',
      'NON_JSON_OUTPUT',
      'CLI_WARNING',
      'CLI_LINGERED',
    ]);
  });

  it('names refused tools, and the rule of ours that refused them', () => {
    const events: AgentEvent[] = [
      {
        type: 'tool-invocation',
        callId: '1',
        toolName: 'write_file',
        kind: 'edit',
        category: 'file-write',
        input: {},
      },
      {
        type: 'tool-completion',
        callId: '1',
        toolName: 'write_file',
        kind: 'edit',
        category: 'file-write',
        status: 'failed',
        isError: true,
        error: { type: 'policy_violation', message: 'denied' },
      },
    ];
    const deniedTools = [{ tool: 'write_file' }];
    const settings = {
      expandAt: false,
      promptBytes: 10,
      isResumed: false,
      hasHooks: true,
      deniedTools,
    };
    const { verdict, deniedTools: denied } = settle(events, { settings });
    expect(verdict.ok).toBe(true);
    expect(denied).toMatchObject([
      { tool: 'write_file', reason: 'policy', hint: 'Remove write_file from deniedTools.' },
    ]);
  });

  it.each([
    [{ promptBytes: 10, isResumed: false, hasHooks: true }, 'HOOK_STOPPED'],
    [{ promptBytes: 100_000, isResumed: false, hasHooks: true }, 'CONTEXT_OVERFLOW'],
    // The history may be long where the prompt is not.
    [{ promptBytes: 10, isResumed: true, hasHooks: true }, 'CONTEXT_OVERFLOW'],
  ])('that made no request is judged by the size of what was sent (%j)', (sizes, code) => {
    const outcome: HeadlessOutcome = {
      ...OUTCOME,
      terminal: { type: 'result', status: 'success', stats: { total_tokens: 0, models: {} } },
    };
    const settings = { expandAt: false, ...sizes };
    expect(settle([], { outcome, settings }).verdict).toMatchObject({ ok: false, code });
  });
});
