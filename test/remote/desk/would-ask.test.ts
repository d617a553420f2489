import { describe, expect, it } from 'vitest';
import { wouldAsk } from '../../../src/remote/desk/would-ask.js';
import { callOf } from './hooks.js';

describe('calls of hooks', () => {
  it.each([
    ['write_file', {}, 'default', true],
    ['write_file', {}, 'auto_edit', false],
    ['write_file', {}, undefined, false],
    ['run_shell_command', { command: 'rm x' }, 'auto_edit', true],
    ['run_shell_command', { command: 'rm x' }, 'yolo', false],
    ['run_shell_command', { command: 'ls -la | head -3' }, 'default', false],
    ['run_shell_command', { command: 'ls; rm x' }, 'default', true],
    ['run_shell_command', { command: 'echo $(rm x)' }, 'default', true],
    ['run_shell_command', { command: 'echo hi > x' }, 'default', true],
    ['read_file', {}, 'default', false],
  ])('are held only if the CLI would ask: %s %o in %s', (tool, input, mode, isAsked) => {
    expect(wouldAsk(callOf(tool, input), mode)).toBe(isAsked);
  });
});
