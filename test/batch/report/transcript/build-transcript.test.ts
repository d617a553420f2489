import { describe, expect, it } from 'vitest';
import {
  TRANSCRIPT_CHARACTERS,
  TranscriptBuilder,
} from '../../../../src/batch/report/transcript/build-transcript.js';

function build(events: readonly Readonly<Record<string, unknown>>[], denied: string[] = []) {
  const builder = new TranscriptBuilder(new Set(denied));
  for (const event of events) builder.add(event);
  return builder.build();
}

describe('a transcript', () => {
  it('has prompts, texts, tool calls, repairs and the failure in order', () => {
    const { entries, isCut } = build(
      [
        { type: 'user-input', text: 'Earlier', isSynthetic: true },
        { type: 'user-input', text: 'Do it', generationId: 'g' },
        { type: 'text-delta', text: 'I ', textKind: 'text' },
        { type: 'text-delta', text: 'will.', textKind: 'text' },
        { type: 'text-delta', text: 'Hm', textKind: 'thinking' },
        {
          type: 'tool-invocation',
          callId: 'c1',
          toolName: 'write_file',
          input: { file_path: 'a.ts', content: 'x' },
          timestamp: '2025-01-01T00:00:00.000Z',
        },
        {
          type: 'tool-completion',
          callId: 'c1',
          status: 'completed',
          timestamp: '2025-01-01T00:00:02.500Z',
          output: 'ok',
        },
        {
          type: 'tool-invocation',
          callId: 'c2',
          toolName: 'run_shell_command',
          input: { command: 'npm\ntest' },
        },
        {
          type: 'tool-completion',
          callId: 'c2',
          status: 'failed',
          isError: true,
          error: { type: 'x', message: 'No' },
        },
        { type: 'tool-invocation', callId: 'c3', toolName: 'read_file', input: {} },
        { type: 'session-status', status: 'repairing', message: 'Repair 1 of 2' },
        { type: 'turn-complete', error: { code: 'TIMEOUT', message: 'Late' } },
        { type: 'other' },
      ],
      ['c2'],
    );
    expect(isCut).toBe(false);
    expect(entries).toEqual([
      { kind: 'prompt', text: 'Do it', generationId: 'g' },
      { kind: 'text', text: 'I will.' },
      { kind: 'thinking', text: 'Hm' },
      {
        kind: 'tool',
        tool: 'write_file',
        summary: 'a.ts',
        verdict: 'completed',
        durationMs: 2_500,
        output: 'ok',
      },
      {
        kind: 'tool',
        tool: 'run_shell_command',
        summary: 'npm test',
        verdict: 'denied',
        output: 'No',
      },
      { kind: 'tool', tool: 'read_file', summary: '', verdict: 'open' },
      { kind: 'repair', text: 'Repair 1 of 2' },
      { kind: 'error', text: 'TIMEOUT Late' },
    ]);
  });

  it('cuts long texts and keeps the last entries', () => {
    const long = Array.from({ length: 100 }, (_, n) => {
      return { type: 'text', text: `${n} ${'x'.repeat(9_000)}` };
    });
    const { entries, isCut } = build(long);
    expect(isCut).toBe(true);
    expect(JSON.stringify(entries).length).toBeLessThan(TRANSCRIPT_CHARACTERS + 100);
    expect(entries.at(-1)).toMatchObject({ text: expect.stringMatching(/^99 x+$/), cut: 5_003 });
  });

  it('ignores fields of other types', () => {
    const { entries } = build([
      { type: 'user-input', text: 5 },
      { type: 'text-delta', text: null },
      { type: 'tool-invocation', callId: {}, toolName: [], input: 'x', title: 'A title' },
      { type: 'tool-completion', callId: 'unknown', output: 7, error: 'x' },
      { type: 'turn-complete', error: 'x' },
    ]);
    expect(entries).toEqual([
      { kind: 'tool', tool: '', summary: 'A title', verdict: 'open' },
      { kind: 'tool', tool: '', summary: '', verdict: 'completed' },
    ]);
  });
});
