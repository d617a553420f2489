import { describe, expect, it } from 'vitest';
import { findRefusedCalls } from '../../../src/sessions/files/refused-calls.js';

function answer(id: string, error: unknown, name = 'run_shell_command') {
  return { functionResponse: { id, name, response: { error } } };
}

function user(...content: readonly unknown[]) {
  return { id: 'm', type: 'user', content };
}

describe('calls that the CLI refused', () => {
  it.each([
    ['Tool "x" not found in registry. Did you mean one of: y?', 'tool_not_registered'],
    ['Tool execution denied by policy.', 'policy_violation'],
  ])('are found in tool answers to the model: %s', (message, type) => {
    const calls = [{ id: 'c1', name: 'run_shell_command', args: { command: 'ls' } }];
    expect(findRefusedCalls([user(answer('c1', message))], calls)).toEqual([
      { id: 'c1', name: 'run_shell_command', input: { command: 'ls' }, error: { type, message } },
    ]);
  });

  it('may have no record of the call itself', () => {
    const messages = [user({ text: 'x' }, answer('c2', 'denied by policy', 'write_file'))];
    expect(findRefusedCalls(messages, [{ id: 'c2', name: 'write_file' }])).toMatchObject([
      { id: 'c2', name: 'write_file', input: {} },
    ]);
    expect(findRefusedCalls(messages, [])).toMatchObject([{ id: 'c2', input: {} }]);
  });

  it('are all found, in their order', () => {
    const messages = [
      user(answer('c1', 'denied by policy'), answer('c2', 'not found in registry')),
      user(answer('c3', 'denied by policy')),
    ];
    expect(findRefusedCalls(messages, []).map(({ id }) => id)).toEqual(['c1', 'c2', 'c3']);
  });

  it('do not include calls with other errors, nor texts of messages', () => {
    const messages = [
      user(answer('c1', 'File not found: denied.txt')),
      user({ functionResponse: { id: 'c2', name: 'x', response: { output: 'denied by policy' } } }),
      { id: 'm', type: 'gemini', content: [answer('c3', 'denied by policy')] },
      { id: 'm', type: 'user', content: 'denied by policy' },
      user('denied by policy', null, 7, {}, [], { functionResponse: null }),
      user({ functionResponse: { id: 7, name: 'x', response: { error: 'denied by policy' } } }),
      user(answer('c4', { message: 'denied by policy' })),
    ];
    expect(findRefusedCalls(messages, [])).toEqual([]);
  });
});
