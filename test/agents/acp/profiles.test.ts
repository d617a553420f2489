import { describe, expect, it } from 'vitest';
import { geminiProfile } from '../../../src/agents/acp/gemini-profile.js';
import {
  categoryOfKind,
  createGenericProfile,
  toToolKind,
} from '../../../src/agents/acp/generic-profile.js';

const agent = createGenericProfile('Some agent');
const MODES = ['default', 'auto_edit', 'yolo', 'plan'] as const;

describe('the mode of a session', () => {
  it('is the mode of the Gemini CLI for this approval mode, if it is offered', () => {
    const offered = ['default', 'autoEdit', 'yolo', 'plan'];
    // In its own mode `autoEdit` the CLI would let allowed commands redirect.
    expect(MODES.map((mode) => geminiProfile.findMode(mode, offered))).toEqual([
      'default',
      'default',
      'yolo',
      'plan',
    ]);
    expect(geminiProfile.findMode('plan', ['default'])).toBeUndefined();
  });

  it.each([
    [['default', 'acceptEdits', 'bypassPermissions', 'plan']],
    [['ask', 'auto-edit', 'yolo', 'architect']],
    [['code', 'auto_edit', 'full-access', 'read-only']],
  ])('is found among the modes of another agent: %j', (offered) => {
    expect(MODES.map((mode) => agent.findMode(mode, offered))).toEqual(offered);
    expect(agent.findMode('yolo', [])).toBeUndefined();
  });
});

describe('the model of a session', () => {
  const offered = [
    { id: 'a(1)', name: 'b' },
    { id: 'b', name: 'c' },
    { id: 'd', name: undefined },
  ];

  it.each([
    ['d', 'd'],
    ['c', 'b'],
    // An id comes before a name.
    ['b', 'b'],
    ['made-up', 'made-up'],
  ])('%s is found by its id or its name: %s', (model, id) => {
    expect(agent.findModel(model, offered)).toBe(id);
  });

  it('is passed to the Gemini CLI unchanged', () => {
    expect(geminiProfile.findModel('c', offered)).toBe('c');
  });
});

describe('a missing file', () => {
  it('is an error for the Gemini CLI, which reads a file before it creates it', () => {
    expect(geminiProfile.takesMissingFileForError).toBe(true);
    expect(agent.takesMissingFileForError).toBe(false);
  });
});

describe('the hints of an agent', () => {
  it('name the agent, and no option that only the Gemini CLI has', () => {
    expect(agent.hints).toMatchObject({
      AUTH: expect.stringContaining('Some agent'),
      CLI_NOT_FOUND: expect.stringContaining('`command`'),
      PROTOCOL: expect.stringContaining('`args`'),
    });
    expect(Object.values(agent.hints).join(' ')).not.toMatch(/gemini|cliPath/i);
    expect(geminiProfile.hints).toEqual({});
  });
});

describe('the name of a tool', () => {
  const call = (toolCallId: string, more = {}) => ({ toolCallId, title: 'For people', ...more });

  it.each([
    ['write_file__write_file_1794801837128_0', 'write_file'],
    ['run_shell_command-1794801837128', 'run_shell_command'],
    ['read_file_1794801837128_3', 'read_file'],
    ['plain', 'For people'],
    ['__odd', 'For people'],
  ])('is read from the call id %s of the Gemini CLI: %s', (id, name) => {
    expect(geminiProfile.toolName(call(id))).toBe(name);
  });

  it('is the kind if there is no other name', () => {
    for (const profile of [agent, geminiProfile]) {
      expect(profile.toolName({ toolCallId: 'x', kind: 'edit' })).toBe('edit');
    }
    expect(geminiProfile.toolName({ toolCallId: 'x', title: null })).toBe('unknown');
    expect(agent.toolName({ toolCallId: 'x', title: null })).toBe('other');
    expect(agent.toolName({ toolCallId: 'x', kind: 'of a newer protocol' })).toBe('other');
  });

  it('is read from `_meta` of other agents, else from a title that looks like a name', () => {
    const noted = { toolName: 'noted' };
    expect(agent.toolName(call('x', { _meta: noted }))).toBe('noted');
    expect(agent.toolName(call('x', { _meta: { house: noted } }))).toBe('noted');
    expect(agent.toolName(call('x', { title: 'web_fetch', kind: 'fetch' }))).toBe('web_fetch');
    for (const toolName of [7, '', null]) {
      expect(agent.toolName(call('x', { kind: 'edit', _meta: { toolName } }))).toBe('edit');
    }
  });

  it('is not read from the input, nor from a title that equals a kind', () => {
    const rawInput = { toolName: 'inner', tool_name: 'inner' };
    expect(agent.toolName(call('x', { kind: 'execute', rawInput }))).toBe('execute');
    expect(agent.toolName(call('x', { kind: 'execute', title: 'read' }))).toBe('execute');
  });
});

describe('the input of a tool', () => {
  it('of the Gemini CLI is derived from the title and the locations', () => {
    const { toolInput } = geminiProfile;
    const call = { toolCallId: 'x', title: 'ls -l', locations: [{ path: '/w/a' }] };
    expect(toolInput('run_shell_command', call)).toEqual({ command: 'ls -l' });
    expect(toolInput('run_shell_command', { toolCallId: 'x' })).toEqual({});
    expect(toolInput('write_file', call)).toEqual({ file_path: '/w/a' });
    expect(toolInput('write_file', { toolCallId: 'x' })).toEqual({});
    expect(toolInput('write_file', { ...call, rawInput: { a: 1 } })).toEqual({ a: 1 });
  });

  it('of another agent is its rawInput', () => {
    expect(agent.toolInput('t', { toolCallId: 'x', rawInput: { a: 1 } })).toEqual({ a: 1 });
    for (const rawInput of [undefined, null, 'x', [1]]) {
      expect(agent.toolInput('t', { toolCallId: 'x', rawInput })).toEqual({});
    }
  });
});

describe('the kind of a tool', () => {
  it('is the kind that the agent reports, or other', () => {
    for (const kind of ['read', 'edit', 'mcp', 'browse']) expect(toToolKind(kind)).toBe(kind);
    for (const kind of [undefined, null, '', 'switch_mode', 'toString']) {
      expect(toToolKind(kind)).toBe('other');
    }
    expect(categoryOfKind('execute')).toBe('command');
    expect(agent.toolCategory('t', 'delete')).toBe('file-write');
  });

  it('of a known Gemini tool does not depend on the reported kind', () => {
    expect(geminiProfile.toolKind('run_shell_command', 'read')).toBe('execute');
    expect(geminiProfile.toolKind('mcp_a_b', 'read')).toBe('mcp');
    expect(geminiProfile.toolKind('made_up', 'read')).toBe('read');
    expect(geminiProfile.toolCategory('made_up', 'execute')).toBe('command');
    expect(geminiProfile.toolCategory('write_file', 'edit')).toBe('file-write');
  });
});

describe('a prompt', () => {
  it.each(['/help', '  /help', '\n$x', '$HOME'])(
    'for the Gemini CLI that begins like a command (%j) is protected, with a warning',
    (text) => {
      expect(geminiProfile.protectPrompt(text)).toMatchObject({
        text: `\u200b${text}`,
        warnings: [{ code: 'PROMPT_CHANGED' }],
      });
      expect(agent.protectPrompt(text)).toEqual({ text, warnings: [] });
    },
  );

  it.each(['a /help', 'text', '', '@file'])('like %j stays unchanged', (text) => {
    expect(geminiProfile.protectPrompt(text)).toEqual({ text, warnings: [] });
  });
});

describe('the usage of a turn', () => {
  it('of the Gemini CLI is read from `_meta` of the answer', () => {
    const response = {
      _meta: {
        quota: {
          token_count: { input_tokens: 10, output_tokens: 2 },
          model_usage: [
            { model: 'pro', token_count: { input_tokens: 10, output_tokens: 2 } },
            { model: 7 },
            'odd',
          ],
        },
      },
    };
    const tokens = { total: 12, input: 10, output: 2, cached: 0, thoughts: 0, tool: 0 };
    expect(geminiProfile.readUsage(response, 3, undefined)).toEqual({
      ...tokens,
      models: { pro: tokens },
      toolCalls: 3,
    });
    expect(geminiProfile.readUsage({ _meta: { quota: {} } }, 0, undefined)).toMatchObject({
      total: 0,
    });
  });

  it('of another agent is read from the answer, in camelCase or snake_case', () => {
    const usage = { inputTokens: 5, outputTokens: 2, cachedReadTokens: 1, totalTokens: 8 };
    const expected = {
      total: 8,
      input: 5,
      output: 2,
      cached: 1,
      thoughts: 0,
      tool: 0,
      models: {},
      toolCalls: 1,
    };
    expect(agent.readUsage({ usage }, 1, undefined)).toEqual(expected);
    const other = { usage: { input_tokens: 5, output_tokens: 2 } };
    expect(agent.readUsage(other, 0, undefined)).toMatchObject({ total: 7 });
  });

  it('is read from updates if the answer has none, but never for the Gemini CLI', () => {
    const told = { total: 3, input: 2, output: 1, cached: 0, thoughts: 0, tool: 0 };
    const update = { _meta: { usage: { inputTokens: 2, outputTokens: 1 } } };
    expect(agent.readUpdateUsage(update)).toEqual(told);
    expect(agent.readUsage({}, 1, told)).toEqual({ ...told, models: {}, toolCalls: 1 });
    expect(geminiProfile.readUpdateUsage(update)).toBeUndefined();
    expect(geminiProfile.readUsage({}, 1, told)).toBeUndefined();
  });

  it.each([undefined, null, 'x', {}, { usage: null }, { _meta: null }, { _meta: { quota: 1 } }])(
    'is undefined if the answer has none (%j)',
    (response) => {
      expect(agent.readUsage(response, 1, undefined)).toBeUndefined();
      expect(geminiProfile.readUsage(response, 1, undefined)).toBeUndefined();
    },
  );
});
