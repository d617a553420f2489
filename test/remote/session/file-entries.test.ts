import { describe, expect, it } from 'vitest';
import type { SessionToolCall } from '../../../src/api/session.js';
import type { UnifiedContent, UnifiedMessage } from '../../../src/api/unified-message.js';
import { mapFileMessage, mapToolCall } from '../../../src/remote/session/file-entries.js';

const callOf = (changes: Partial<SessionToolCall>): SessionToolCall => ({
  ...{ id: 'c', name: 'read_file', ...changes },
});
const outputOf = (resultDisplay: unknown) => mapToolCall(callOf({ resultDisplay })).output;

function blocksOf(role: UnifiedMessage['role'], content: readonly UnifiedContent[]): unknown {
  const _original = { id: 'm', type: role, content: '' };
  const [entry] = mapFileMessage({ id: 'm', role, tool: 'gemini', content, _original });
  return entry?.type === 'message' ? entry.blocks : undefined;
}
const text = (words: string): UnifiedContent => ({ type: 'text', text: words });

describe('mapFileMessage', () => {
  it('shows texts and thoughts, and its tool calls as entries of their own', () => {
    const message: UnifiedMessage = {
      ...{ id: 'm', role: 'assistant', tool: 'gemini', model: 'gemini-2.5-pro' },
      content: [
        { type: 'thinking', thinking: 'hm' },
        text('Done.'),
        { type: 'tool_use', id: 'c', name: 'x', input: {} },
      ],
      _original: { id: 'm', type: 'gemini', toolCalls: [callOf({ id: 'a' }), callOf({ id: 'b' })] },
    };
    const blocks = [
      { type: 'thought', text: 'hm' },
      { type: 'text', text: 'Done.' },
    ];
    expect(mapFileMessage(message)).toMatchObject([
      { type: 'message', messageId: 'm', role: 'assistant', model: 'gemini-2.5-pro', blocks },
      { type: 'tool', callId: 'a' },
      { type: 'tool', callId: 'b' },
    ]);
    expect(mapFileMessage({ ...message, content: [] })).toHaveLength(2);
  });

  it('leaves out the context that the CLI puts before the first prompt', () => {
    const context = '<session_context>\nThe date is today.\n</session_context>\n';
    expect(blocksOf('user', [text(`${context} fix it`)])).toEqual([text('fix it')]);
    expect(blocksOf('user', [text(context)])).toBeUndefined();
    expect(blocksOf('user', [text('')])).toEqual([text('')]);
  });

  it('leaves out the contents of files in a prompt, but not in a text of the model', () => {
    const files = '--- Content from referenced files ---\nsecret';
    expect(blocksOf('user', [text('read @a'), text(files), text('more')])).toEqual([
      text('read @a'),
    ]);
    expect(blocksOf('user', [text(`read @a\n${files}`), text('more')])).toEqual([text('read @a')]);
    expect(blocksOf('assistant', [text(files)])).toEqual([text(files)]);
  });
});

describe('mapToolCall', () => {
  it.each([
    ['success', 'succeeded'],
    ['error', 'failed'],
    ['cancelled', 'cancelled'],
    ['executing', 'running'],
    [undefined, 'running'],
  ])('maps the status %s to %s', (status, wanted) => {
    expect(mapToolCall(callOf({ status })).status).toBe(wanted);
  });

  it('has its command or its file in the title', () => {
    const titleOf = (args?: SessionToolCall['args']) => mapToolCall(callOf({ args })).title;
    expect(titleOf({ command: 'npm test\nrm x', file_path: 'x' })).toBe('npm test');
    expect(titleOf({ file_path: 'a.txt' })).toBe('read_file a.txt');
    expect(titleOf({ command: 1, file_path: ['a'] })).toBe('read_file');
    expect(titleOf()).toBe('read_file');
  });

  it('has the change of a file, and the output of a command as text', () => {
    const diff = '-a\n+b';
    expect(mapToolCall(callOf({ resultDisplay: { fileDiff: diff } }))).toMatchObject({ diff });
    expect(mapToolCall(callOf({ resultDisplay: { fileDiff: 1 } })).diff).toBeUndefined();
    expect(outputOf('text')).toBe('text');
    expect(outputOf({ other: 1 })).toBeUndefined();
    expect(outputOf(null)).toBeUndefined();
    const styled = [
      [{ text: 'a', bold: true }, 'b', { text: 1 }, null],
      'c',
      [],
      { text: 'd' },
      [],
    ];
    expect(outputOf(styled)).toBe('ab\nc\n\nd');
  });

  it('cuts what is longer than a phone can use', () => {
    const fileDiff = 'x'.repeat(300_000);
    expect(mapToolCall(callOf({ resultDisplay: { fileDiff } })).diff).toMatch(
      /^x{256000}\n… 44000 more characters$/,
    );
    expect(outputOf('y'.repeat(64_001))).toMatch(/\n… 1 more characters$/);
  });
});
