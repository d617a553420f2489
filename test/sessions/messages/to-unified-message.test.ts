import { describe, expect, it } from 'vitest';
import type { SessionMessage } from '../../../src/api/session.js';
import type { UnifiedContent, UnifiedMessage } from '../../../src/api/unified-message.js';
import { RecordedCalls } from '../../../src/sessions/messages/recorded-calls.js';
import { toUnifiedMessage } from '../../../src/sessions/messages/to-unified-message.js';
import { legacyMessage } from '../files/session-text.js';

function unify(message: SessionMessage): UnifiedMessage {
  const calls = new RecordedCalls();
  calls.add(message);
  return toUnifiedMessage(message, calls);
}

function typesOf({ content }: UnifiedMessage): string[] {
  return content.map(({ type }) => type);
}

function only<Type extends UnifiedContent['type']>({ content }: UnifiedMessage, type: Type) {
  const found = content.filter((block): block is UnifiedContent & { type: Type } => {
    return block.type === type;
  });
  expect(found).toHaveLength(1);
  return found[0];
}

describe('a recorded message with a tool call', () => {
  it.each([
    ['tool-read_file', 'Read', { file_path: '/projects/word-count/main.py' }, 'def main()'],
    ['tool-list_directory', 'Glob', { pattern: '*', path: '/projects/word-count' }, '[DIR] docs'],
    ['tool-google_web_search', 'WebSearch', { query: 'unicode word segmentation rules' }, 'Annex'],
    ['tool-result-success', 'Glob', { pattern: '**/*.py' }, 'Found 2 file(s)'],
    [
      'tool-write-file',
      'Write',
      {
        file_path: '/projects/word-count/count.py',
        content: 'def count(text: str) -> int:\n    return len(text.split())\n',
      },
      'Successfully created',
    ],
    [
      'tool-replace',
      'Edit',
      {
        file_path: '/projects/word-count/main.py',
        old_string: '    print("words: 0")',
        new_string: '    print(f"words: {count(sys.argv[1])}")',
      },
      '1 replacements',
    ],
    [
      'tool-run_shell_command',
      'Bash',
      {
        command: "python3 main.py 'three small words'",
        description: 'Runs the program on a short text.',
      },
      'Output: words: 3',
    ],
  ])('has the tool name and input of Claude: %s', (name, tool, input, output) => {
    const original = legacyMessage(name);
    const message = unify(original);
    const use = only(message, 'tool_use');
    const result = only(message, 'tool_result');
    expect(message).toMatchObject({ id: original.id, role: 'assistant', tool: 'gemini' });
    expect(use).toEqual({ type: 'tool_use', id: original.toolCalls?.[0]?.id, name: tool, input });
    expect(result).toMatchObject({ tool_use_id: use?.id, is_error: false });
    expect(result?.content).toContain(output);
    expect(message._original).toEqual(original);
  });

  it.each([
    ['tool-result-error', 'Edit', '0 occurrences found'],
    ['tool-result-cancelled', 'Bash', '[Operation Cancelled]'],
  ])('has a failed result: %s', (name, tool, output) => {
    const message = unify(legacyMessage(name));
    expect(only(message, 'tool_use')?.name).toBe(tool);
    const result = only(message, 'tool_result');
    expect(result?.is_error).toBe(true);
    expect(result?.content).toContain(output);
  });
});

describe('a recorded message', () => {
  it('has thoughts first, then tools, then text', () => {
    expect(typesOf(unify(legacyMessage('tool-write-file')))).toEqual([
      'thinking',
      'tool_use',
      'tool_result',
    ]);
    expect(typesOf(unify(legacyMessage('tool-result-cancelled')))).toEqual([
      'tool_use',
      'tool_result',
      'text',
    ]);
    const [call] = legacyMessage('tool-read_file').toolCalls ?? [];
    const everything = unify({
      id: 'm',
      type: 'gemini',
      content: [{ text: 'said' }, { functionCall: { id: 'x', name: 'glob', args: {} } }],
      thoughts: [{ subject: 'one' }, { subject: 'two' }],
      toolCalls: call === undefined ? [] : [call, { ...call, id: 'again' }],
    });
    expect(typesOf(everything)).toEqual([
      'thinking',
      'thinking',
      'tool_use',
      'tool_result',
      'tool_use',
      'tool_result',
      'tool_use',
      'text',
    ]);
  });

  it('has its thoughts as thinking, and its tokens as usage', () => {
    const message = unify(legacyMessage('gemini-with-thoughts'));
    expect(message).toEqual({
      id: message.id,
      role: 'assistant',
      content: [
        {
          type: 'thinking',
          thinking:
            'Choosing a Tokenizer: I compare splitting at blanks with the rules of the standard, and blanks are enough here.',
        },
        {
          type: 'thinking',
          thinking:
            'Planning the Change: First the function, then the call, then a run on a short text.',
        },
        {
          type: 'text',
          text: "Splitting at blanks is enough for this program. I'd keep it simple.",
        },
      ],
      timestamp: Date.parse('2025-10-29T10:38:22.000Z'),
      tool: 'gemini',
      model: 'gemini-2.5-pro',
      usage: {
        input_tokens: 6310,
        output_tokens: 58,
        total_tokens: 6770,
        cache_read_input_tokens: 6000,
        thinking_tokens: 402,
      },
      _original: legacyMessage('gemini-with-thoughts'),
    });
  });

  it.each([
    ['user', { role: 'user' }],
    ['gemini', { role: 'assistant' }],
    ['error', { role: 'system', level: 'error' }],
    ['warning', { role: 'system', level: 'warning' }],
    ['info', { role: 'system', level: 'info', mark: 'info' }],
    ['something_new', { role: 'assistant' }],
  ])('of type %s is %j', (type, expected) => {
    const message = { id: 'm', type, content: 'text' };
    expect(unify(message)).toEqual({
      id: 'm',
      ...expected,
      content: [{ type: 'text', text: 'text' }],
      tool: 'gemini',
      _original: message,
    });
  });

  it.each([
    ['text', ['text']],
    ['  padded\n', ['  padded\n']],
    ['', []],
    [' \n', []],
    [undefined, []],
    [null, []],
    [{ text: 'part' }, ['part']],
    [
      ['a', { text: 'b' }, { text: '' }, { odd: 1 }, 7, null],
      ['a', 'b'],
    ],
  ])('with the content %j has the texts %j', (content, texts) => {
    const { content: blocks } = unify({ id: 'm', type: 'user', content });
    expect(blocks).toEqual(texts.map((text) => ({ type: 'text', text })));
  });

  it('may have an image between texts', () => {
    const inlineData = { mimeType: 'image/png', data: 'AAAA' };
    const content = [{ text: 'before' }, { inlineData }, { text: 'after' }];
    expect(typesOf(unify({ id: 'm', type: 'user', content }))).toEqual(['text', 'image', 'text']);
  });

  it.each([undefined, 'no time', ''])('has no time for the timestamp %j', (timestamp) => {
    expect(unify({ id: 'm', type: 'user', timestamp })).not.toHaveProperty('timestamp');
  });

  it.each([
    [null, undefined],
    [undefined, undefined],
    [{}, { input_tokens: 0, output_tokens: 0, total_tokens: 0 }],
    [
      { input: 5, output: 2 },
      { input_tokens: 5, output_tokens: 2, total_tokens: 7 },
    ],
    [
      { input: 5, output: 2, cached: 0, thoughts: 0, tool: 1, total: 8 },
      { input_tokens: 5, output_tokens: 2, total_tokens: 8 },
    ],
  ])('with the tokens %j has the usage %j', (tokens, usage) => {
    expect(unify({ id: 'm', type: 'gemini', tokens }).usage).toEqual(usage);
  });
});

describe('a message that the CLI wrote again when it resumed a session', () => {
  const thought = { text: '**Plan** I write.', thought: true };
  const functionCall = { id: 'c', name: 'glob', args: { pattern: '*' } };
  const content = [thought, { text: 'Writing.' }, { functionCall }];

  it('has its thoughts and its calls once', () => {
    const message = unify({
      id: 'm',
      type: 'gemini',
      content,
      thoughts: [{ subject: 'Plan', description: 'I write.' }],
      toolCalls: [{ id: 'c', name: 'glob', args: { pattern: '*' }, status: 'success' }],
    });
    expect(typesOf(message)).toEqual(['thinking', 'tool_use', 'tool_result', 'text']);
  });

  it('has them if they are in the content alone', () => {
    expect(unify({ id: 'm', type: 'gemini', content }).content).toEqual([
      { type: 'thinking', thinking: 'Plan: I write.' },
      { type: 'tool_use', id: 'c', name: 'Glob', input: { pattern: '*' } },
      { type: 'text', text: 'Writing.' },
    ]);
  });

  it.each([[{ functionCall: { args: {} } }], [{ functionCall: null }], [{ functionCall: 'x' }]])(
    'has no call in %j',
    (part) => {
      expect(unify({ id: 'm', type: 'gemini', content: [part] }).content).toEqual([]);
    },
  );
});
