import { describe, expect, it } from 'vitest';
import type {
  WireEvent,
  WireToolResult,
  WireToolUse,
} from '../../../src/agents/headless/headless-wire.js';
import { EventMapper, mapUsage } from '../../../src/agents/headless/map-event.js';
import type { AgentEvent } from '../../../src/api/agent-event.js';

const timestamp = '2026-11-15T23:35:54.494Z';

function map(...events: readonly WireEvent[]): (AgentEvent | undefined)[] {
  const mapper = new EventMapper();
  return events.map((event) => mapper.map(event));
}

function use(
  tool_name: string,
  parameters?: WireToolUse['parameters'],
  tool_id = '1',
): WireToolUse {
  return { type: 'tool_use', timestamp, tool_name, tool_id, parameters };
}

function result(more: Partial<WireToolResult> = {}): WireToolResult {
  return { type: 'tool_result', timestamp, tool_id: '1', status: 'success', ...more };
}

describe('a wire event', () => {
  it.each([
    [
      { type: 'init', timestamp, session_id: 's', model: 'm' },
      { type: 'session-init', sessionId: 's', model: 'm' },
    ],
    [
      { type: 'message', timestamp, role: 'user', content: 'hi' },
      { type: 'user-input', text: 'hi', isSynthetic: false },
    ],
    [
      { type: 'message', timestamp, role: 'assistant', content: 'a', delta: true },
      { type: 'text-delta', text: 'a', textKind: 'text' },
    ],
    [
      { type: 'message', timestamp, role: 'assistant', content: 'a' },
      { type: 'text', text: 'a', textKind: 'text' },
    ],
    [
      { type: 'error', timestamp, severity: 'warning', message: 'w' },
      { type: 'session-status', status: 'warning', message: 'w' },
    ],
    [
      { type: 'error', timestamp, severity: 'error', message: 'e' },
      { type: 'session-status', status: 'error', message: 'e' },
    ],
  ] satisfies [WireEvent, object][])('%j is mapped to a public event', (raw, meaning) => {
    expect(map(raw)).toEqual([{ ...meaning, timestamp, raw }]);
  });

  it('of type result is mapped to no event', () => {
    expect(map({ type: 'result', status: 'success' })).toEqual([undefined]);
  });

  it('of type tool_use is mapped to a call with its paths', () => {
    const raw = use('read_file', { file_path: 'src/a.ts', start_line: 3 });
    expect(map(raw)).toEqual([
      {
        type: 'tool-invocation',
        timestamp,
        raw,
        callId: '1',
        toolName: 'read_file',
        kind: 'read',
        category: 'file-read',
        input: { file_path: 'src/a.ts', start_line: 3 },
        locations: ['src/a.ts'],
      },
    ]);
  });

  it.each([
    ['a folder', { dir_path: 'src' }, ['src']],
    ['no path', { pattern: '*.ts' }, undefined],
    ['a path that is none', { file_path: 5 }, undefined],
    ['no parameters', undefined, undefined],
  ])('of type tool_use with %s has the locations %j', (_what, parameters, locations) => {
    expect(map(use('glob', parameters))[0]).toMatchObject({ input: parameters ?? {}, locations });
  });
});

describe('a tool', () => {
  it.each([
    ['run_shell_command', 'command', 'execute'],
    ['list_background_processes', 'command', 'read'],
    ['read_background_output', 'command', 'read'],
    ['read_file', 'file-read', 'read'],
    ['read_many_files', 'file-read', 'read'],
    ['list_directory', 'file-read', 'search'],
    ['glob', 'file-read', 'search'],
    ['grep_search', 'file-read', 'search'],
    ['search_file_content', 'file-read', 'search'],
    ['write_file', 'file-write', 'edit'],
    ['replace', 'file-write', 'edit'],
    ['google_web_search', 'search-fetch', 'browse'],
    ['web_fetch', 'search-fetch', 'fetch'],
    ['ask_user', 'ask-user', 'ask'],
    ['write_todos', 'planning', 'think'],
    ['update_topic', 'planning', 'think'],
    ['enter_plan_mode', 'planning', 'think'],
    ['exit_plan_mode', 'planning', 'think'],
    ['complete_task', 'planning', 'think'],
    ['activate_skill', 'planning', 'other'],
    ['get_internal_docs', 'planning', 'read'],
    ['save_memory', 'planning', 'memory'],
    ['invoke_agent', 'agent', 'other'],
    ['mcp_github_search', 'mcp', 'mcp'],
    ['some_new_tool', 'unknown', 'other'],
  ])('%s is of category %s and kind %s in call and result', (toolName, category, kind) => {
    const expected = { toolName, category, kind, callId: '1' };
    expect(map(use(toolName), result())).toMatchObject([expected, expected]);
  });
});

describe('the result of a tool', () => {
  it('belongs to the call with its id, in any order', () => {
    const [, , second, first] = map(
      use('glob', {}, 'a'),
      use('read_file', {}, 'b'),
      result({ tool_id: 'b' }),
      result({ tool_id: 'a' }),
    );
    expect(second).toMatchObject({ callId: 'b', toolName: 'read_file' });
    expect(first).toMatchObject({ callId: 'a', toolName: 'glob' });
  });

  it('has no tool name if its call is unknown', () => {
    const raw = result({ tool_id: 'x', output: 'o' });
    expect(map(raw)).toEqual([
      {
        type: 'tool-completion',
        timestamp,
        raw,
        callId: 'x',
        toolName: undefined,
        kind: 'other',
        category: 'unknown',
        status: 'completed',
        isError: false,
        output: 'o',
        error: undefined,
        derived: undefined,
      },
    ]);
  });

  it('has no derived meaning if it is a failure', () => {
    const error = { type: 'file_not_found', message: 'no such file' };
    const [, event] = map(
      use('write_file', { file_path: 'a' }),
      result({ status: 'error', output: 'no', error }),
    );
    expect(event).toMatchObject({ status: 'failed', isError: true, output: 'no', error });
    expect(event).toHaveProperty('derived', undefined);
  });
});

describe('a cancelled call that the CLI reports as a success', () => {
  it.each(['Command cancelled by user.', '[Operation Cancelled] Reason: the user stopped it'])(
    'is failed, and nothing is derived from it: %s',
    (output) => {
      for (const tool of ['run_shell_command', 'write_file']) {
        const [, event] = map(use(tool, { command: 'ls', file_path: 'a' }), result({ output }));
        expect(event).toMatchObject({
          type: 'tool-completion',
          status: 'failed',
          isError: true,
          error: { type: 'cancelled', message: output },
          derived: undefined,
        });
      }
    },
  );

  it('is told from output that only speaks of it', () => {
    const output = 'log: Command cancelled by user.';
    const [, event] = map(use('run_shell_command', { command: 'cat log' }), result({ output }));
    expect(event).toMatchObject({ status: 'completed', derived: { commandOutput: output } });
  });
});

describe('the derived meaning of a result', () => {
  const DIFF = 'Index: a\n===\n--- a\tOriginal\n+++ a\tWritten\n@@ -0,0 +1,2 @@\n+x\n';

  function derive(tool: string, parameters: WireToolUse['parameters'], output?: string): unknown {
    const [, event] = map(use(tool, parameters), result({ output }));
    return event?.type === 'tool-completion' ? event.derived : 'no completion';
  }

  it('is the output of a shell command', () => {
    expect(derive('run_shell_command', { command: 'ls' }, 'a\nb')).toEqual({
      commandOutput: 'a\nb',
    });
  });

  it.each(['write_file', 'replace'])('is the file that %s wrote', (tool) => {
    expect(derive(tool, { file_path: 'a b.txt' })).toEqual({ mutation: { tool, path: 'a b.txt' } });
  });

  it('is a diff if the output is one', () => {
    expect(derive('mcp_git_diff', {}, DIFF)).toEqual({ diff: DIFF });
    expect(derive('run_shell_command', { command: 'git diff' }, DIFF)).toEqual({
      commandOutput: DIFF,
      diff: DIFF,
    });
  });

  it.each([
    'plain text',
    '--- a\n+++ b\nno hunk',
    '--- a\n@@ -1 +1 @@',
    'text --- a\n+++ b\n@@ -1 +1 @@',
    '@@ -1,2 +1,2 @@',
    '',
  ])('is no diff if the output is %j', (output) => {
    expect(derive('read_file', { file_path: 'a' }, output)).toBeUndefined();
  });

  it('is undefined for other tools', () => {
    expect(derive('web_fetch', { prompt: 'x' }, 'page')).toBeUndefined();
    expect(derive('write_file', {}, undefined)).toBeUndefined();
  });
});

describe('the usage of a turn', () => {
  it('has the public field names', () => {
    const counts = { total_tokens: 12, input_tokens: 10, output_tokens: 2, cached: 4, input: 6 };
    const tokens = { total: 12, input: 10, output: 2, cached: 4, thoughts: 0, tool: 0 };
    expect(mapUsage({ ...counts, tool_calls: 3, duration_ms: 9, models: { m: counts } })).toEqual({
      ...tokens,
      models: { m: tokens },
      toolCalls: 3,
    });
  });

  it('counts missing fields as zero', () => {
    const none = { total: 0, input: 0, output: 0, cached: 0, thoughts: 0, tool: 0 };
    expect(mapUsage({})).toEqual({ ...none, models: {}, toolCalls: 0 });
    expect(mapUsage({ models: { m: {} } }).models).toEqual({ m: none });
  });
});
