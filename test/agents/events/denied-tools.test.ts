import { describe, expect, it } from 'vitest';
import { findDeniedTools } from '../../../src/agents/events/denied-tools.js';
import type { ToolCall } from '../../../src/agents/events/turn-fold.js';
import { parseToolRules } from '../../../src/config/tool-rule.js';

interface Refusal {
  readonly type?: string;
  readonly input?: ToolCall['input'];
  readonly id?: string;
}

function refused(name: string, { type, input, id }: Refusal = {}): ToolCall {
  return {
    id: id ?? 'id-1',
    name,
    input: input ?? {},
    outcome: 'failed',
    error: { type: type ?? 'tool_not_registered', message: `Tool "${name}" not found.` },
  };
}

function hintFor(
  call: ToolCall,
  deniedTools: readonly { tool: string; commandPrefix?: string }[] = [],
): string {
  const rules = deniedTools.map((rule) => ({ commandPrefix: undefined, ...rule }));
  return findDeniedTools([call], { deniedTools: rules })[0]?.hint ?? '';
}

describe('the denied tools of a turn', () => {
  it.each([
    ['tool_not_registered', 'not_registered'],
    ['policy_violation', 'policy'],
  ])('are the calls that failed with %s', (type, reason) => {
    expect(findDeniedTools([refused('write_file', { type })])).toMatchObject([
      { tool: 'write_file', toolId: 'id-1', reason, message: 'Tool "write_file" not found.' },
    ]);
  });

  it('include calls for which a headless CLI would have to ask', () => {
    const message =
      'Tool execution for "Shell" requires user confirmation, which is not supported in non-interactive mode.';
    const call = refused('run_shell_command', { type: 'unhandled_exception' });
    const asked = { ...call, error: { type: 'unhandled_exception', message } };
    expect(findDeniedTools([asked])).toMatchObject([{ reason: 'policy', message }]);
    expect(findDeniedTools([call])).toEqual([]);
  });

  it.each(['file_not_found', 'invalid_tool_params', 'stop_execution', 'no_space_left'])(
    'do not include a call that failed with %s',
    (type) => {
      expect(findDeniedTools([refused('write_file', { type })])).toEqual([]);
    },
  );

  it('do not include completed or pending calls', () => {
    const calls: ToolCall[] = [
      { id: '1', name: 'glob', input: {}, outcome: 'completed' },
      { id: '2', name: 'glob', input: {}, outcome: 'pending' },
    ];
    expect(findDeniedTools(calls)).toEqual([]);
  });

  it('have one entry for each call, in order', () => {
    const calls = ['1', '2', '3'].map((id) => refused('write_file', { id }));
    expect(findDeniedTools(calls).map(({ toolId }) => toolId)).toEqual(['1', '2', '3']);
  });
});

describe('the hint for a denied tool', () => {
  const rules = [{ tool: 'run_shell_command', commandPrefix: 'rm' }];

  it('names the rule that forbids this very command', () => {
    const call = refused('run_shell_command', {
      type: 'policy_violation',
      input: { command: 'rm -f x' },
    });
    expect(hintFor(call, rules)).toBe('Remove run_shell_command(rm) from deniedTools.');
  });

  it('names a shell rule for a call of the kind execute with another name', () => {
    const input = { command: 'rm -f x' };
    const call = refused('bash', { type: 'policy_violation', input });
    const executed: ToolCall = { ...call, kind: 'execute' };
    expect(hintFor(executed, rules)).toBe('Remove run_shell_command(rm) from deniedTools.');
    expect(hintFor(executed, [{ tool: 'execute' }])).not.toContain('deniedTools');
  });

  it('does not name a rule with a prefix if the CLI refused an unknown command', () => {
    const call = refused('run_shell_command', { type: 'policy_violation' });
    expect(hintFor(call, rules)).not.toContain('deniedTools');
  });

  it('does not name a rule for another command', () => {
    const call = refused('run_shell_command', { input: { command: 'echo hi' } });
    expect(hintFor(call, rules)).toContain('run_shell_command(echo hi)');
  });

  it('names a rule with a star that forbids the tool', () => {
    const call = refused('mcp_files_write', { type: 'policy_violation' });
    expect(hintFor(call, [{ tool: 'mcp_files_*' }])).toBe('Remove mcp_files_* from deniedTools.');
  });

  it.each([
    ['write_file', 'auto_edit'],
    ['replace', 'auto_edit'],
    ['web_fetch', 'auto_edit'],
    ['write_todos', 'yolo'],
    ['mcp_server_tool', 'yolo'],
  ])('for %s names the rule and the mode %s that would allow the tool', (tool, mode) => {
    const hint = hintFor(refused(tool));
    expect(hint).toContain(`allowedTools: ["${tool}"]`);
    expect(hint).toContain(`approvalMode: "${mode}"`);
  });

  it.each([
    ['npm test', '"run_shell_command(npm test)"'],
    ['cd /tmp && ls -la', '"run_shell_command(cd)", "run_shell_command(ls)"'],
    ['FOO=1 npm test', '"run_shell_command"'],
  ])('names the rules that together allow the command "%s"', (command, rules) => {
    const hint = hintFor(refused('run_shell_command', { input: { command } }));
    expect(hint).toBe(`Set allowedTools: [${rules}] or approvalMode: "yolo".`);
  });

  it('names the mode alone if no rule is enough', () => {
    const input = { command: 'rm -rf $(cat list)' };
    expect(hintFor(refused('run_shell_command', { input }))).toBe('Set approvalMode: "yolo".');
  });

  it('names the narrow rule and allowRedirection for a redirection', () => {
    const call = refused('run_shell_command', { input: { command: 'npm test > log' } });
    expect(hintFor(call)).toContain(
      'allowedTools: ["run_shell_command(npm test)"] and allowRedirection: true',
    );
  });

  it('names the protected path', () => {
    const call = {
      ...refused('write_file', { input: { file_path: '.env' } }),
      kind: 'edit' as const,
    };
    const isProtected = (path: string) => path === '.env';
    expect(findDeniedTools([call], { isProtected })[0]?.hint).toContain('"!.env"');
    expect(findDeniedTools([call])[0]?.hint).not.toContain('protected');
  });

  it('tells that no setting allows a switch of the mode', () => {
    expect(hintFor(refused('exit_plan_mode'))).toMatch(/^No setting allows .* yolo\.$/);
  });

  it('names the precondition of a tool that the CLI does not offer otherwise', () => {
    expect(hintFor(refused('tracker_create_task'))).toBe(
      'The CLI offers tracker_create_task only with `experimental.taskTracker: true` in settings.json.',
    );
    const call = refused('tracker_create_task', { type: 'policy_violation' });
    expect(hintFor(call)).toMatch(/policy or a hook/);
  });

  it('names the tool if the command is not known', () => {
    expect(hintFor(refused('run_shell_command'))).toContain('["run_shell_command"]');
  });

  it('names policies and hooks for a tool that every mode offers', () => {
    const hint = hintFor(refused('read_file', { type: 'policy_violation' }));
    expect(hint).toMatch(/policy or a hook/);
    expect(hint).toContain('allowedTools: ["read_file"]');
  });

  it.each(['ask_user', 'save_memory', 'read_many_files'])(
    'says that no setting allows %s',
    (tool) => {
      expect(hintFor(refused(tool))).toMatch(/^No setting allows \w+: CLI 0\.61 does not offer/);
    },
  );

  it('says that the CLI has no tool of an invented name', () => {
    expect(hintFor(refused('make_coffee'))).toMatch(
      /^No setting allows make_coffee: the CLI has no tool/,
    );
  });

  it("names the caller's own rule if that rule denies the tool", () => {
    const call = refused('write_file', { type: 'policy_violation' });
    expect(hintFor(call, [{ tool: 'write_file' }])).toMatch(/Remove write_file from deniedTools/);
    expect(hintFor(call, [{ tool: 'replace' }])).not.toContain('deniedTools');
  });
});

describe('the hint for a tool of another agent', () => {
  const rejected = (name: string, kind: ToolCall['kind']): ToolCall => {
    return { ...refused(name, { type: 'permission_rejected' }), kind };
  };
  const hint = (call: ToolCall, rules: readonly string[] = []) => {
    const deniedTools = parseToolRules(rules);
    return findDeniedTools([call], { isOtherAgent: true, deniedTools })[0]?.hint;
  };

  it.each([
    ['edit', 'edit', 'auto_edit'],
    ['delete', 'delete', 'auto_edit'],
    ['bash', 'execute', 'yolo'],
    // The Gemini CLI has a tool of this name that no setting allows.
    ['save_memory', 'other', 'yolo'],
  ] as const)('names the tool %s of the kind %s and the mode %s', (name, kind, mode) => {
    expect(hint(rejected(name, kind))).toBe(
      `Set allowedTools: ["${name}"] or approvalMode: "${mode}", or decide in onPermission.`,
    );
  });

  it('names the rule that refuses the kind of the tool', () => {
    expect(hint(rejected('write', 'edit'), ['edit'])).toBe('Remove edit from deniedTools.');
  });
});

describe('a path that the CLI itself refuses', () => {
  it('is a denied tool if the path is protected, and a plain error otherwise', () => {
    const message = 'Path not in workspace: Attempted path ".env" resolves outside';
    const error = { type: 'invalid_tool_params', message };
    const call = { ...refused('write_file', { input: { file_path: '.env' } }), error };
    const isProtected = () => true;
    expect(findDeniedTools([{ ...call, kind: 'edit' }], { isProtected })).toMatchObject([
      { reason: 'policy' },
    ]);
    expect(findDeniedTools([{ ...call, kind: 'edit' }])).toEqual([]);
    expect(findDeniedTools([{ ...call, kind: 'read' }], { isProtected })).toEqual([]);
  });
});
