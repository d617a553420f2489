import { describe, expect, it } from 'vitest';
import type { ToolCall } from '../../../src/agents/events/turn-fold.js';
import {
  attributeTo,
  findUntrackedWriters,
  findUntrackedWritersAfter,
} from '../../../src/step/manifest/untracked-writers.js';

const call = (id: string, name: string, outcome: ToolCall['outcome'] = 'completed'): ToolCall => ({
  id,
  name,
  input: {},
  outcome,
});
const CALLS = [
  call('1', 'run_shell_command'),
  call('2', 'write_file'),
  call('3', 'mcp_server_tool'),
  call('4', 'run_shell_command', 'failed'),
  call('5', 'invoke_agent'),
  call('6', 'run_shell_command', 'pending'),
];
const idsOf = (calls: readonly ToolCall[]) => calls.map(({ id }) => id);

describe('untracked writers', () => {
  it('are completed or interrupted calls of tools that do not report their files', () => {
    expect(idsOf(findUntrackedWriters(CALLS))).toEqual(['1', '3', '5', '6']);
  });

  it.each([
    ['2', ['3', '5', '6']],
    ['6', []],
    ['of a sub-agent', ['1', '3', '5', '6']],
  ])('after call %s are %j', (id, expected) => {
    expect(idsOf(findUntrackedWritersAfter(CALLS, id))).toEqual(expected);
  });

  it('are named if all of them are shell commands', () => {
    const unknown = { tools: ['unknown'], toolIds: [] };
    expect(attributeTo(CALLS.slice(0, 1))).toEqual({
      tools: ['run_shell_command'],
      toolIds: ['1'],
    });
    expect(attributeTo(CALLS.slice(0, 3))).toEqual(unknown);
    expect(attributeTo([])).toEqual(unknown);
  });

  it('of another agent are recognised by the kind that it reports', () => {
    const bash = { ...call('1', 'bash'), kind: 'execute' } as const;
    const reader = { ...call('2', 'view'), kind: 'read' } as const;
    const edit = { ...call('3', 'patch'), kind: 'edit' } as const;
    expect(idsOf(findUntrackedWriters([bash, reader, edit]))).toEqual(['1', '3']);
    expect(attributeTo([bash])).toEqual({ tools: ['bash'], toolIds: ['1'] });
    expect(attributeTo([bash, edit])).toEqual({ tools: ['bash', 'patch'], toolIds: ['1', '3'] });
    const agent = { ...call('4', 'task'), kind: 'think' } as const;
    expect(attributeTo([bash, agent])).toEqual({ tools: ['unknown'], toolIds: [] });
  });
});
