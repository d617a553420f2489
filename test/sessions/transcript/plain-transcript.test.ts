import pc from 'picocolors';
import { describe, expect, it } from 'vitest';
import type { SessionMessage } from '../../../src/api/session.js';
import { toUnifiedMessages } from '../../../src/sessions/messages/to-unified-messages.js';
import { describeMessage } from '../../../src/sessions/transcript/plain-transcript.js';

const plain = pc.createColors(false);

function show(...messages: SessionMessage[]): string[] {
  return toUnifiedMessages(messages, { extras: 'mark' }).flatMap((message) =>
    describeMessage(message, plain),
  );
}

const EDIT = {
  id: 'c1',
  name: 'replace',
  args: { file_path: 'a b.ts', old_string: 'x', new_string: 'y' },
  status: 'success',
  result: [{ functionResponse: { id: 'c1', name: 'replace', response: { output: 'ok' } } }],
  resultDisplay: {
    fileDiff: '+y',
    diffStat: { model_added_lines: 2, model_removed_lines: 1, user_added_lines: 1 },
  },
};

describe('a transcript', () => {
  it('shows author, time, model and tokens of a message', () => {
    const lines = show({
      id: '1',
      type: 'gemini',
      timestamp: '2026-11-16T10:20:30.000Z',
      content: 'Hello.',
      model: 'gemini-2.5-pro',
      tokens: { input: 4, output: 2, total: 6 },
    });
    expect(lines).toEqual(['▌ gemini  10:20:30 · gemini-2.5-pro · 6 tokens', '  Hello.']);
  });

  it('shows a call on one line, with the changed lines', () => {
    expect(show({ id: '1', type: 'gemini', content: '', toolCalls: [EDIT] })).toEqual([
      '▌ gemini',
      '  ✓ Edit a b.ts +3 -1',
    ]);
  });

  it('shows calls that failed, with the reason, and calls that are still running', () => {
    const failed = { id: 'c2', name: 'read_file', args: { file_path: 'no' }, status: 'error' };
    const open = { id: 'c3', name: 'my_tool', args: { depth: 3 } };
    const toolCalls = [{ ...failed, resultDisplay: 'File not\nfound' }, open];
    expect(show({ id: '1', type: 'gemini', content: '', toolCalls }).slice(1)).toEqual([
      '  ✗ Read no File not found',
      '  → my_tool {"depth":3}',
    ]);
  });

  it('puts thoughts first and tool calls last', () => {
    const thoughts = [{ subject: 'Plan', description: 'think' }];
    const message = { id: '1', type: 'gemini', content: 'a\n\nb', thoughts, toolCalls: [EDIT] };
    expect(show(message).slice(1)).toEqual([
      '  ~ Plan: think',
      '  a',
      '',
      '  b',
      '  ✓ Edit a b.ts +3 -1',
    ]);
  });

  it.each([
    ['error', '▌ error'],
    ['warning', '▌ warning'],
    ['info', '▌ info  info'],
  ])('names an %s of the CLI', (type, author) => {
    expect(show({ id: '1', type, content: 'Quota' })).toEqual([author, '  Quota']);
  });

  it('removes control characters from texts', () => {
    const content = 'a\u001b[2Jb c\u0007\rd\u009b1me';
    expect(show({ id: '1', type: 'user', content })[1]).toBe('  ab cde');
  });

  it('shows an answer without a recorded call, and an image', () => {
    const response = { functionResponse: { id: 'x', name: 'glob', response: { output: 'none' } } };
    const image = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
    expect(show({ id: '1', type: 'user', content: [response, image] }).slice(1)).toEqual([
      '  ↳ none',
      '  [image/png]',
    ]);
  });
});
