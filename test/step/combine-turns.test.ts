import { describe, expect, it } from 'vitest';
import type { EvaluatedTurn } from '../../src/agents/evaluate-turn.js';
import type { StepWarning, Usage } from '../../src/api/result.js';
import { combineTurns, type StepFacts } from '../../src/step/combine-turns.js';

const warning = (message: string): StepWarning => ({ code: 'CLI_WARNING', message });
const FACTS: StepFacts = {
  generationId: 'generation-1',
  sessionId: 's',
  model: 'm',
  transport: 'acp',
  cliVersion: '1',
  durationMs: 3,
  manifest: { files: [], warnings: [{ code: 'FILE_NOT_CONFIRMED', message: 'of the manifest' }] },
  warnings: [{ code: 'PROMPT_CHANGED', message: 'before the run' }],
};
const turn = (more: Partial<EvaluatedTurn>): EvaluatedTurn => ({
  verdict: { ok: true, recovered: false },
  text: 'said',
  deniedTools: [],
  warnings: [],
  usage: undefined,
  requests: [],
  recovered: false,
  ...more,
});
const usage = (total: number, model: string): Usage => {
  const tokens = { total, input: total - 1, output: 1, cached: 2, thoughts: 0, tool: 0 };
  return { ...tokens, models: { [model]: tokens }, toolCalls: 1 };
};
const denied = (tool: string) => {
  return { tool, toolId: tool, reason: 'policy', message: 'no', hint: 'Allow it.' } as const;
};

describe('the turns of a step', () => {
  it('give the output of the only turn if there is one', () => {
    const output = combineTurns(
      [turn({ text: ' said ', warnings: [warning('a'), warning('a')] })],
      FACTS,
    );
    expect(output).toEqual({
      text: ' said ',
      files: [],
      deniedTools: [],
      warnings: [
        { code: 'PROMPT_CHANGED', message: 'before the run' },
        warning('a'),
        warning('a'),
        { code: 'FILE_NOT_CONFIRMED', message: 'of the manifest' },
      ],
      usage: undefined,
      generationId: 'generation-1',
      sessionId: 's',
      model: 'm',
      transport: 'acp',
      cliVersion: '1',
      durationMs: 3,
      recovered: false,
      repairs: 0,
    });
  });

  it('are combined if there are several', () => {
    const output = combineTurns(
      [
        turn({ text: 'one', usage: usage(10, 'a'), deniedTools: [denied('x')] }),
        turn({ text: '', usage: undefined, recovered: true }),
        turn({ text: 'two', usage: usage(20, 'b'), deniedTools: [denied('y')] }),
        turn({ text: 'three', usage: usage(30, 'a') }),
      ],
      FACTS,
    );
    expect(output).toMatchObject({
      text: 'one\n\ntwo\n\nthree',
      deniedTools: [{ tool: 'x' }, { tool: 'y' }],
      recovered: true,
      repairs: 3,
    });
    expect(output.usage).toEqual({
      total: 60,
      input: 57,
      output: 3,
      cached: 6,
      thoughts: 0,
      tool: 0,
      toolCalls: 3,
      models: {
        a: { total: 40, input: 38, output: 2, cached: 4, thoughts: 0, tool: 0 },
        b: { total: 20, input: 19, output: 1, cached: 2, thoughts: 0, tool: 0 },
      },
    });
  });

  it('give a repeated warning once', () => {
    const turns = [
      turn({ warnings: [warning('a')] }),
      turn({ warnings: [warning('a'), warning('b')] }),
      turn({ warnings: [warning('b')] }),
    ];
    const { warnings } = combineTurns(turns, { ...FACTS, warnings: [] });
    expect(warnings.map(({ message }) => message)).toEqual(['a', 'b', 'of the manifest']);
  });
});
