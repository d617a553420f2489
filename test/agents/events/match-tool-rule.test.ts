import { describe, expect, it } from 'vitest';
import { createGenericProfile } from '../../../src/agents/acp/generic-profile.js';
import { decideByRules } from '../../../src/agents/acp/permission-policy.js';
import { hintForRefusal } from '../../../src/agents/events/denied-tools.js';
import {
  forbidsCall,
  isEditingKind,
  namesTool,
} from '../../../src/agents/events/match-tool-rule.js';
import type { ToolKind } from '../../../src/api/tool.js';
import { parseToolRule, parseToolRules, type ToolRule } from '../../../src/config/tool-rule.js';

function rule(text: string): ToolRule {
  const parsed = parseToolRule(text);
  if (parsed === undefined) throw new Error(`Not a rule: ${text}`);
  return parsed;
}

describe('a rule for a tool', () => {
  it.each([
    ['write_file', 'write_file', 'edit', true],
    ['write_*', 'write_file', 'edit', true],
    ['write_file', 'write_files', 'edit', false],
    ['mcp_a.b', 'mcp_axb', 'mcp', false],
    ['edit', 'anything', 'edit', true],
    ['edit', 'anything', 'execute', false],
    ['run_shell_command', 'bash', 'execute', true],
    ['a*', 'a\nwith lines', 'other', true],
  ] as const)('%s names %j of the kind %s: %s', (text, name, kind, expected) => {
    expect(namesTool(rule(text), { name, kind })).toBe(expected);
  });

  it.each([
    ['run_shell_command(rm)', { command: 'ls && rm x' }, true],
    ['run_shell_command(rm)', { command: 'ls' }, false],
    ['run_shell_command(rm)', {}, true],
    ['run_shell_command', { command: 'ls' }, true],
  ])('%s forbids %j: %s', (text, input, expected) => {
    expect(forbidsCall(rule(text), { name: 'bash', kind: 'execute', input })).toBe(expected);
  });
});

describe('the kinds of tools that auto_edit allows', () => {
  it.each(['edit', 'delete', 'move'] as const)('include %s', (kind) => {
    expect(isEditingKind(kind)).toBe(true);
  });

  it.each(['read', 'execute', 'mcp', undefined] as const)('do not include %s', (kind) => {
    expect(isEditingKind(kind)).toBe(false);
  });
});

describe('the permission policy and the hint for a refused call', () => {
  const calls: readonly [string, ToolKind, Record<string, unknown>][] = [
    ['write', 'edit', {}],
    ['bash', 'execute', { command: 'rm -rf x' }],
    ['bash', 'execute', {}],
    ['fetch', 'fetch', {}],
  ];
  const rules = ['write', 'edit', 'run_shell_command(rm)', 'f*', 'read'];

  it.each(calls)('agree on %s of the kind %s with %j', (toolName, kind, input) => {
    for (const text of rules) {
      const settings = {
        approvalMode: 'yolo',
        allowedTools: [],
        deniedTools: parseToolRules([text]),
        onPermission: undefined,
        permissionTimeoutMs: 1000,
        unattended: 'reject',
      } as const;
      const asked = {
        toolName,
        kind,
        input,
        title: '',
        sessionId: 's',
        callId: 'c',
        locations: [],
        content: [],
        options: [],
      };
      const decision = decideByRules(asked, settings, createGenericProfile('Agent'));
      const hint = hintForRefusal({ toolName, kind, input }, settings);
      expect(hint === `Remove ${text} from deniedTools.`).toBe(decision === 'reject');
    }
  });
});
