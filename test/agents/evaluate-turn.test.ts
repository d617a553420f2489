import { describe, expect, it } from 'vitest';
import { geminiProfile } from '../../src/agents/acp/gemini-profile.js';
import type { TurnFindings } from '../../src/agents/driver.js';
import { evaluateTurn, type TurnEvidence } from '../../src/agents/evaluate-turn.js';
import { TurnFold } from '../../src/agents/events/turn-fold.js';
import { collectHeadlessFindings } from '../../src/agents/headless/headless-findings.js';
import type { WireResult } from '../../src/agents/headless/headless-wire.js';
import { StreamReader } from '../../src/agents/headless/stream-reader.js';
import type { AgentEvent } from '../../src/api/agent-event.js';
import { parseToolRules } from '../../src/config/tool-rule.js';
import type { SessionEvidence } from '../../src/sessions/files/read-session-evidence.js';

const SUCCESS: WireResult = {
  type: 'result',
  status: 'success',
  stats: { total_tokens: 5, models: { m: {} } },
};
const SESSION: SessionEvidence = {
  messages: [],
  answers: ['said'],
  lastTurn: 'answered',
  requests: [],
  usage: {
    total: 7,
    input: 6,
    output: 1,
    cached: 0,
    thoughts: 0,
    tool: 0,
    models: {},
    toolCalls: 0,
  },
  edits: [],
  promptParts: ['the prompt'],
  refusedCalls: [],
};

const told = (text: string): AgentEvent => ({ type: 'text-delta', text, textKind: 'text' });

interface Given extends Partial<Omit<TurnEvidence, 'findings' | 'fold'>> {
  /** Output on stdout, without its last part. */
  readonly stdout?: string;
  readonly endedAfterResult?: boolean;
  readonly findings?: (found: TurnFindings) => TurnFindings;
}

function evaluate(events: readonly AgentEvent[], given: Given = {}) {
  const { stdout = `${JSON.stringify(SUCCESS)}\n`, endedAfterResult = false, ...more } = given;
  const fold = new TurnFold();
  for (const event of events) fold.accept(event);
  const reader = new StreamReader();
  reader.push(Buffer.from(stdout));
  reader.end();
  const exit = { exitCode: 0, stderr: '', endedAfterResult };
  const found = collectHeadlessFindings({ exit, reader, json: undefined, fold });
  return evaluateTurn({
    fold,
    settings: { expandAt: false, promptBytes: 10, isResumed: false, hasHooks: true },
    ...more,
    findings: given.findings?.(found) ?? found,
  });
}

describe('a turn with all its evidence', () => {
  it('has the verdict, text and usage on which stream and session file agree', () => {
    const init: AgentEvent = { type: 'session-init', sessionId: 'told', model: 'm' };
    expect(evaluate([init, told('said ')], { session: SESSION })).toEqual({
      verdict: { ok: true, recovered: false },
      text: 'said ',
      deniedTools: [],
      warnings: [],
      usage: {
        total: 5,
        input: 0,
        output: 0,
        cached: 0,
        // The wire has thoughts in the total alone.
        thoughts: 5,
        tool: 0,
        models: { m: expect.anything() },
        toolCalls: 0,
      },
      requests: [],
      recovered: false,
    });
  });

  it('takes text and usage from the session file if the stream was cut off', () => {
    const output = evaluate([told('sa')], { stdout: '{"type":"mess', session: SESSION });
    expect(output.verdict).toEqual({ ok: true, recovered: true });
    expect(output).toMatchObject({ text: 'said', usage: { total: 7 }, recovered: true });
    expect(output.warnings).toMatchObject([{ code: 'NON_JSON_OUTPUT' }, { code: 'RECOVERED' }]);
  });

  it('takes the usage of the session file unchanged if the headless CLI reports no tokens', () => {
    const stats = { total_tokens: 0, input_tokens: 9, tool_calls: 3, models: { m: {} } };
    const stdout = `${JSON.stringify({ ...SUCCESS, stats })}\n`;
    expect(evaluate([told('said')], { stdout, session: SESSION }).usage).toEqual(SESSION.usage);
  });

  it('takes the larger counts of report and session file over ACP', () => {
    const usage = {
      total: 9,
      input: 9,
      output: 0,
      cached: 0,
      thoughts: 0,
      tool: 0,
      models: {},
      toolCalls: 3,
    };
    const facts = { profile: geminiProfile, wasReady: true, stderr: '', response: {} };
    const acp = { transport: 'acp' as const, facts, usage, isUsageComplete: false, warnings: [] };
    const evaluated = evaluate([told('said')], { session: SESSION, findings: () => acp });
    expect(evaluated.usage).toEqual(usage);
    const small = { ...usage, input: 1 };
    const findings = () => ({ ...acp, usage: small });
    expect(evaluate([told('said')], { session: SESSION, findings }).usage).toEqual({
      ...SESSION.usage,
      toolCalls: 3,
    });
  });

  it('takes the last version of a text that the CLI repeated', () => {
    const output = evaluate([told('saidsaid')], { session: SESSION });
    expect(output).toMatchObject({ text: 'said', recovered: false });
    expect(output.warnings).toMatchObject([{ code: 'TEXT_REPAIRED' }]);
  });

  it('warns that the CLI has added to the prompt, unless expandAt is set', () => {
    const session = { ...SESSION, promptParts: ['the prompt', 'a file'] };
    expect(evaluate([told('said')], { session }).warnings).toMatchObject([
      { code: 'PROMPT_EXPANDED' },
    ]);
    const settings = { expandAt: true, promptBytes: 10, isResumed: false, hasHooks: true };
    expect(evaluate([told('said')], { session, settings }).warnings).toEqual([]);
  });

  it('lists the warnings of the process before those of its stream', () => {
    const remark: AgentEvent = { type: 'session-status', status: 'warning', message: 'mind this' };
    const { warnings } = evaluate([remark], {
      stdout: `no JSON\n${JSON.stringify(SUCCESS)}\n`,
      endedAfterResult: true,
      findings: (found) => ({
        ...found,
        warnings: [{ code: 'PROCESSES_LEFT', message: 'left' }, ...found.warnings],
      }),
    });
    expect(warnings.map(({ code }) => code)).toEqual([
      'PROCESSES_LEFT',
      'NON_JSON_OUTPUT',
      'CLI_WARNING',
      'CLI_LINGERED',
    ]);
  });

  it('names refused tools, and the rule of the caller that refused them', () => {
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
    const deniedTools = parseToolRules(['write_file']);
    const settings = {
      expandAt: false,
      promptBytes: 10,
      isResumed: false,
      hasHooks: true,
      deniedTools,
    };
    const { verdict, deniedTools: denied } = evaluate(events, { settings });
    expect(verdict.ok).toBe(true);
    expect(denied).toMatchObject([
      { tool: 'write_file', reason: 'policy', hint: 'Remove write_file from deniedTools.' },
    ]);
  });

  it.each([
    [{ promptBytes: 10, isResumed: false, hasHooks: true }, 'HOOK_STOPPED'],
    [{ promptBytes: 100_000, isResumed: false, hasHooks: true }, 'CONTEXT_OVERFLOW'],
    // The history may be long although the prompt is short.
    [{ promptBytes: 10, isResumed: true, hasHooks: true }, 'CONTEXT_OVERFLOW'],
  ])('is judged by the size of the prompt if the CLI made no request (%j)', (sizes, code) => {
    const silence = { ...SUCCESS, stats: { total_tokens: 0, models: {} } };
    const stdout = `${JSON.stringify(silence)}\n`;
    const settings = { expandAt: false, ...sizes };
    expect(evaluate([], { stdout, settings }).verdict).toMatchObject({ ok: false, code });
  });
});
