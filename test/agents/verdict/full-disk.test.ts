import { describe, expect, it } from 'vitest';
import type { ToolCall } from '../../../src/agents/events/turn-fold.js';
import { findFullDisk } from '../../../src/agents/verdict/full-disk.js';

const call = (more: Partial<ToolCall> = {}): ToolCall => ({
  id: 'w1',
  name: 'write_file',
  input: { file_path: 'a.txt' },
  outcome: 'failed',
  error: { type: 'no_space_left', message: 'No space left on device: /w/a.txt (ENOSPC)' },
  ...more,
});
const failed = (message: string) => call({ error: { type: 'tool_failed', message } });

describe('a full disk', () => {
  it.each([
    ['the error type of the CLI', call()],
    ['the message of an agent over ACP', failed('No space left on device: /w/a.txt (ENOSPC)')],
    ['an exceeded quota', failed('EDQUOT: disk quota exceeded, write')],
  ])('is found by %s', (_, one) => {
    expect(findFullDisk([one])).toMatchObject({
      code: 'TOOL_FAILED',
      message: 'The disk is full: write_file could not write a.txt',
    });
  });

  it('is found by a file that this process could not write', () => {
    expect(findFullDisk([], ['src/b.txt'])).toMatchObject({
      message: 'The disk is full: src/b.txt could not be written',
    });
  });

  it.each([
    [
      'the same file was written later',
      [call(), call({ id: 'w2', outcome: 'completed', error: undefined })],
    ],
    ['the write failed for another reason', [failed('EACCES: permission denied')]],
    ['the tool reads', [call({ name: 'read_file' })]],
    ['nothing failed', []],
  ])('is not found if %s', (_, calls) => {
    expect(findFullDisk(calls)).toBeUndefined();
  });
});
