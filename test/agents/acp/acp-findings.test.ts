import { describe, expect, it } from 'vitest';
import { collectAcpFindings } from '../../../src/agents/acp/acp-findings.js';
import { geminiProfile } from '../../../src/agents/acp/gemini-profile.js';
import { TurnFold } from '../../../src/agents/events/turn-fold.js';

describe('the findings of a turn over ACP', () => {
  it('have the tokens of the answer and the tool calls of the events', () => {
    const fold = new TurnFold();
    const call = { callId: 'c', toolName: 't', kind: 'edit', category: 'file-write' } as const;
    fold.accept({ type: 'tool-invocation', ...call, input: {} });
    const tokens = { input_tokens: 3, output_tokens: 1 };
    const facts = {
      profile: geminiProfile,
      response: { stopReason: 'end_turn', _meta: { quota: { token_count: tokens } } },
      wasReady: true,
      stderr: '',
    };
    expect(collectAcpFindings(facts, fold, 0)).toEqual({
      transport: 'acp',
      facts,
      usage: {
        total: 4,
        input: 3,
        output: 1,
        cached: 0,
        thoughts: 0,
        tool: 0,
        models: {},
        toolCalls: 1,
      },
      isUsageComplete: false,
      warnings: [],
    });
  });

  it('list processes that were left behind, after the remarks of the agent', () => {
    const fold = new TurnFold();
    fold.accept({ type: 'session-status', status: 'warning', message: 'mind this' });
    const facts = { profile: geminiProfile, wasReady: true, stderr: '' };
    expect(collectAcpFindings(facts, fold, 2).warnings).toMatchObject([
      { code: 'CLI_WARNING' },
      { code: 'PROCESSES_LEFT', count: 2 },
    ]);
  });
});
